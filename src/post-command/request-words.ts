import { EMOJI_OR_MENTION } from '../time/markup.ts'

/** Words that aren't part of the post, such as "please schedule this for" and "thanks". */

export const PLEASE = ['please', 'pls', 'plz']
export const REQUEST_OPENERS = [...PLEASE, 'can you', 'can u', 'could you', 'could u']
export const THANKS = 'thanks, many thanks, thank you, thank u, thx, thnx, ty, tysm, ta, cheers'.split(', ')
const FOREIGN_THANKS = 'danke, merci, gracias, obrigado, obrigada, valeu'.split(', ')
/** "… auf insta bitte", "… sur fb stp" */
export const FOREIGN_POLITE_WORDS = [
  ...FOREIGN_THANKS,
  ..."bitte, svp, stp, s'il te plaît, s'il vous plaît, por favor, porfa, pfv".split(', '),
]
/** Upnext reads these words in every locale, because none of them means anything in another language. */
export const FOREIGN_DRAFT_WORDS = ['entwurf', 'brouillon', 'borrador', 'rascunho']
export const REQUEST_VERBS = ['schedule', 'post', 'publish', 'send', 'queue', 'share']

const anyOf = (words: string[]) => `(?:${words.join('|')})`
const please = anyOf(PLEASE)
const verb = anyOf(REQUEST_VERBS)
const object = '(?: (?:this|it))'
/** "Please share" alone is often a part of the post. */
const verbWithoutShare = anyOf(REQUEST_VERBS.filter((word) => word !== 'share'))

const asDraft = `(?:as (?:a )?)?draft`
const asForeignDraft = `(?:(?:guardar|salvar|enregistrer|sauvegarder) )?(?:(?:als|en|comme|como) )?${anyOf(FOREIGN_DRAFT_WORDS)}(?: speichern)?`
/** Foreign draft words don't count before a dash, because "Entwurf – Druck – Versand" may be a list. */
export const DRAFT_AT_START = new RegExp(
  String.raw`^(?:please )?(?:(?:save|keep) (?:(?:it|this) )?)?${asDraft}(?::|!!+|\s+[|–—-](?=\s))\s*` +
    String.raw`|^${asForeignDraft}\s?:\s*|^\((?:${asDraft}|${asForeignDraft})\)\s+`,
  'i',
)

/** "DRAFT Summer teaser", but not "DRAFT BEER NIGHT" */
export const DRAFT_IN_CAPITALS = new RegExp(
  `^${anyOf(['draft', ...FOREIGN_DRAFT_WORDS].map((word) => word.toUpperCase()))} (?!\\p{Lu}{2})`,
  'u',
)

const greeting = String.raw`(?:(?:hi|hey|hello|dear|hallo|bonjour|salut|hola|olá|oi)(?: there| all| team| everyone)?[!,]?\s+)?`
/** "Please send us your photos" and "please post your best shot below" are posts, but a colon ends a request. */
const verbBeforeText = String.raw`(?:${verbWithoutShare}(?=:)|(?:schedule|post|publish)(?!\s+(?:us|me|them|your|my|in|by|from|about)\b))`

/** "Post" and "share" count only after a request such as "please". Without one, they may be words of the post. */
export const REQUEST_AT_START = new RegExp(
  `^${greeting}(?:${please} (?:${verb}${object}|${verbBeforeText})` +
    `|(?:${please} )?(?:can|could) (?:you|u|we)(?: ${please})?` +
    String.raw` (?:${verb}${object}(?: out| up)?|(?:put|get)${object} (?:out|up)|${verbBeforeText}))[:,]?\s+`,
  'i',
)

const POLITE_REQUESTS = [
  '(?:please )?(?:can|could) (?:this|it) (?:go|be posted|be scheduled)(?: please)?(?: out| up| live)?',
  '(?:please|thank you for|thanks for|(?:would|could|can) (?:you|u|we))(?: mind| kindly| please)?' +
    ' (?:schedul(?:e|ing)|(?:post|publish|send|shar|queu)(?:e|ing)?|put(?:ting)?|have)(?: this| it| these| the following)?(?: out| up)?',
  '(?:pourriez-vous|pouvez-vous|peux-tu|pourrais-tu|merci de|veuillez) (?:publier|poster|programmer|partager)(?: ceci| ça)?',
  String.raw`por favor,? (?:public|publiq|program|compart|post|agend)\p{L}*(?: esto| isto| isso)?`,
  '(?:bitte|(?:könnt ihr|könntet ihr|könnten sie|kannst du|könntest du)(?: bitte)?)(?: das| dies)?(?: bitte)?',
  '¿?(?:puedes|podrías|podéis|pueden) (?:publicar|postear|programar|compartir)(?: esto)?',
  '(?:você )?(?:pode|poderia|podes) (?:publicar|postar|agendar|compartilhar)(?: isto| isso)?',
  '(?:poste|veröffentliche)(?: bitte)? (?:das|dies)|(?:publie|poste) (?:ceci|ça)|(?:publica|postea) esto|(?:publica|publique|posta|poste) (?:isto|isso)',
]
/** Counts only if fields follow, because "Por favor, publica tu foto" is a post. */
export const REQUEST_BEFORE_FIELDS = new RegExp(`^${greeting}${anyOf(POLITE_REQUESTS)}[:,]?\\s+`, 'iu')

/** Counts only if "on X" and a time follow the text: "Post Thank you all! on X tuesday 9am", but not "Post Your photos on X" */
export const VERB_BEFORE_TEXT =
  /^(?:[Pp](?:ost|ublish|ublie[rz]?|ublicar?|ublique|ostar|ostear|rogramar)|poste[rz]?|[Vv]eröffentliche|[Aa]gendar|[Ss]chedule(?= \p{Ll})) (?!Your\b|Tus?\b|Sus?\b|Eure|Deine?|Votre|Vos\b|Tes\b|Ton\b|Malone\b|Office\b|Brexit\b|AG\b|[-–&])(?=[^\p{Ll}\p{N}]|our\b|we\b|we['’]|it['’]s\b)/u

/** "Post on LinkedIn: " */
export const NAMES_PLATFORMS = new RegExp(`^\\s*(?:(?:${verb}|draft)${object}? )?(?:on|to|via|for|@)`, 'i')

/** A final "x" after thanks is a kiss. */
export const THANKS_WITH_KISS = new RegExp(`(?<=\\s)${anyOf(THANKS)},? x+$`, 'i')

const STARTS_SENTENCE = `(?<=(?:^|[.!?…,;:(\\n–—]|\\s-|${EMOJI_OR_MENTION})\\s*)`
const LEADS_TO_FIELDS = `(?: out)?(?: ${please})?[:,]?(?: (?:at|on|for|@|am|um|le|à|el|dia|no dia))* *$`
/** "Poste das am 1.12. um 10 Uhr", "À publier le 1er décembre", "Publicar el 1 de diciembre", "Publicar dia 1/12" */
const foreignRequest = anyOf([
  '(?:bitte )?(?:poste|posten|veröffentliche|veröffentlichen)(?: das| dies)?(?: bitte)?',
  '(?:à )?(?:publier|poster|partager)(?: ceci| ça)?|(?:publie|publiez|poste|postez) (?:ceci|ça)',
  '(?:publicar|publica|publicad|postear|postea)(?: esto)?',
  '(?:publicar|publique|postar|poste|posta)(?: isto| isso)?',
])
const REQUEST =
  `(?<![\\p{L}\\p{N}])(?:${please} +(?:${verbWithoutShare}|put|get)` +
  `|${STARTS_SENTENCE}(?:(?:can|could) (?:you|u|we) +(?:${please} +)?(?:${verbWithoutShare}|put|get)|${verbWithoutShare}|${foreignRequest}))`

/** "Please schedule it for" and, at the start of a sentence, "post on". Elsewhere, "post" belongs to the text. */
export const REQUEST_AT_END = new RegExp(`${REQUEST}${object}?${LEADS_TO_FIELDS}`, 'iu')

/** "Please share" is often a part of the post, but hardly ever if it starts a sentence that ends "on X at 9am". */
export const SHARE_OR_REQUEST_AT_END = new RegExp(
  `(?:${REQUEST}|(?<=(?:[.!?…\\n]|${EMOJI_OR_MENTION})\\s*)${please} share)${object}?${LEADS_TO_FIELDS}`,
  'iu',
)

export const NEGATED_REQUEST = new RegExp(
  String.raw`\b(?:do not|don['’]?t|never|not) ${verb}\b[^.!?\n]*$`,
  'i',
)

/** "Post 'Hello' tomorrow 9am" */
export const VERB_BEFORE_QUOTE = new RegExp(`(?<!\\S)${verb}${object}?:? ['‘]`, 'i')

/** In "We packed 1,200 orders in 6 hours, thank you!", the thanks belong to the sentence. */
export const THANKS_IN_SENTENCE = new RegExp(
  `^[,!.]\\s*${anyOf([...THANKS, ...FOREIGN_THANKS])}(?!\\p{L})`,
  'iu',
)

/** '"Launch day!" tomorrow 9am, thank you!' */
export const THANKS_AT_END = new RegExp(`[\\s,.!]*(?<!\\S)${anyOf(THANKS)}[.!]*$`, 'i')

const foreignVerb = anyOf([
  'veröffentlichen?|posten?|posta|postea|postar|postear|publi(?:e|ez|er|ca|que|car)|programmiere|programar',
  // With a colon, these are headings.
  '(?:plane|programa|programe|programme[rz]?|agende)(?!:)',
])
const aroundForeignVerb = 'bitte|das|dies|ceci|ça|esto|isto|auf|für|sur|pour|en|para|no|el|le|o|a'
/** The words around a quoted post, if they only ask for it to be scheduled. */
export const ONLY_REQUEST = new RegExp(
  String.raw`^(?:${please}|${verb}|bitte|this|it|as|to|on|for|at|via|[\s,:;–—-])*$` +
    String.raw`|^(?:bitte )?${foreignVerb}(?:\s+(?:${aroundForeignVerb})(?!\p{L})|[\s,:;])*$`,
  'iu',
)

/** Before a platform's name, these words make it a part of the text: "Watch the talk on YouTube" */
export const MENTIONS_PLATFORM = new RegExp(
  String.raw`(?<!\p{L})(?:see|watch|find|follow|join|read|meet|us|me|live|now|are|starts|followers|fans` +
    '|folgt|uns|ist|sind|jetzt|schaut|suivez|retrouvez|nous|est|sont|maintenant' +
    String.raw`|síguenos|sigue|mira|estamos|está|ya|siga|assista|veja|agora)(?!\p{L})[^.!?,;:]*$`,
  'iu',
)
