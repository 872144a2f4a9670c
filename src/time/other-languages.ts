import { createRefusal, type Refusal } from './reading.ts'

type Language = {
  /** Words of dates and times, without accents, that mean nothing in English. */
  words: string
  /** Words that are also English words or names. They count only in this language's locale and before a number. */
  ambiguousWords: string
}

/** Enough words to recognize a date or a time in the languages that people most often type instead of English. */
const LANGUAGES: Record<string, Language> = {
  de: {
    words: `heute morgen morgens ubermorgen uebermorgen gestern montag montags dienstag dienstags mittwoch mittwochs
      donnerstag donnerstags freitag freitags samstag samstags sonnabend sonntag sonntags januar februar marz maerz mai
      juni juli oktober dezember uhr halb viertel mittag mittags mitternacht fruh frueh vormittag vormittags nachmittag
      nachmittags abend abends nacht nachts nachste nachsten nachster naechste naechsten naechster kommende kommenden
      kommender woche wochen stunde stunden minuten tage tagen monat monate jetzt sofort gegen jeden`,
    ambiguousWords: 'mo di mi do fr sa so um ab dez mrz',
  },
  fr: {
    words: `aujourd aujourdhui demain apres hier lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars
      avril mai juin juillet aout septembre octobre novembre decembre matin midi apres-midi soir minuit heure heures
      prochain prochaine semaine semaines jours mois dans maintenant vers`,
    ambiguousWords: 'lun mar mer jeu ven sam dim janv fevr avr juil a le',
  },
  es: {
    words: `hoy manana pasado ayer lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril junio
      julio agosto septiembre setiembre octubre noviembre diciembre mediodia medianoche madrugada tarde noche hora horas
      proximo proxima siguiente semana semanas dentro dias minutos ahora`,
    ambiguousWords: 'lun mar mie jue vie sab dom ene abr ago dic mayo el las',
  },
  pt: {
    words: `hoje amanha depois ontem segunda terca quarta quinta sexta feira janeiro fevereiro abril maio junho julho
      setembro outubro novembro dezembro manha tarde noite meia meio hora horas proximo proxima semana semanas daqui
      dias minutos agora`,
    ambiguousWords: 'seg ter qua qui sex sab dom fev abr mai ago set out dez marco as',
  },
  it: {
    words: `oggi domani dopodomani ieri lunedi martedi mercoledi giovedi venerdi sabato domenica gennaio febbraio marzo
      aprile maggio giugno luglio settembre ottobre dicembre mattina mezzogiorno mezzanotte pomeriggio sera stasera
      prossimo prossima settimana settimane alle giorni minuti`,
    ambiguousWords: 'lun mar mer gio ven sab dom gen mag giu lug ago ott dic ore',
  },
  sv: {
    words: 'idag imorgon imorgen ikvall mandag tisdag tirsdag onsdag torsdag fredag lordag sondag klockan',
    ambiguousWords: 'kl',
  },
  nl: {
    words: `vandaag overmorgen gisteren maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart
      mei augustus uur ochtend middag avond vanavond vannacht morgenochtend morgenmiddag morgenavond nacht volgende komende dagen weken minuten`,
    ambiguousWords: 'ma di wo do vr za zo om',
  },
}

const FOREIGN_WORDS = new Set(Object.values(LANGUAGES).flatMap(({ words }) => words.split(/\s+/)))

export const isForeignWord = (word: string): boolean => FOREIGN_WORDS.has(word)

/** Matches these words only before a number, so that "so tomorrow" and "do it" count as English. */
const AMBIGUOUS_WORDS = new Map(
  Object.entries(LANGUAGES).map(([language, { ambiguousWords }]) => [
    language,
    new RegExp(String.raw`(?<![\w'-])(?:${ambiguousWords.replaceAll(' ', '|')})\.?,? ?\d`),
  ]),
)

const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]/u

const MOMENTS = '"tomorrow 9am", "fri 14:30" or "24 Dec at noon"'

/** Refuses normalized text in another language, because a reading of only half of the words would be wrong. */
export function refuseOtherLanguage(
  text: string,
  locale: string | undefined,
  examples = MOMENTS,
): Refusal | undefined {
  const words = text.replace('mardi gras', '').split(/[^a-z]+/)
  const [language = ''] = locale?.toLowerCase().split(/[-_]/) ?? []
  const isForeign =
    OTHER_SCRIPT.test(text) || words.some(isForeignWord) || AMBIGUOUS_WORDS.get(language)?.test(text)
  return isForeign ? createRefusal('language', `Times are read in English only. Try ${examples}.`) : undefined
}
