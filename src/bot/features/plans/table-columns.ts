import { normalizeName } from '../../../platforms/platform-names.ts'

export type Column = 'id' | 'version' | 'text' | 'date' | 'time' | 'zone' | 'platforms' | 'media' | 'status'

/** The headings of each column, in lowercase and without separators. */
const HEADINGS: Record<Column, string> = {
  // Many sheets number their rows in a column "Id".
  id: 'upnextid',
  version: 'upnextversion',
  text: 'content text post posttext caption message copy body tweet',
  date: `scheduledate date day when datetime dateandtime publishdate scheduledat postdate postingdate publicationdate
    publishingdate golivedate`,
  time: 'time hour clock publishtime',
  zone: 'timezone zone tz',
  platforms: 'platforms platform networks network channels channel socialnetwork',
  media: 'media medialink mediaurl image imageurl imagelink video videourl picture',
  status: 'status state saveas',
}

/** Headings that are used only if the table has none of `HEADINGS` for the column. */
const OTHER_HEADINGS: Partial<Record<Column, string>> = {
  text: 'beitrag texte texto',
  date: 'publishon publishat poston postat scheduledfor scheduled golive datum fecha data',
  time: 'scheduledtime uhrzeit zeit heure hora',
  platforms: `plattform plattformen kanal kanäle plateforme plateformes réseau réseaux plataforma plataformas canal canales canais
    red redes rede`,
  media: 'bild imagen imagem',
}

export function findColumns(headings: string[]): (Column | undefined)[] {
  const known = headings.map((heading) => findColumn(heading, HEADINGS))
  return headings.map((heading, index) => {
    const other = known[index] ? undefined : findColumn(heading, OTHER_HEADINGS)
    return known[index] ?? (other && !known.includes(other) ? other : undefined)
  })
}

const findColumn = (heading: string, names: Partial<Record<Column, string>>): Column | undefined =>
  (Object.keys(names) as Column[]).find((column) =>
    names[column]?.split(/\s+/).includes(normalizeName(heading)),
  )
