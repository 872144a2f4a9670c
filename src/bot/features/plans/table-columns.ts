import { normalizeName } from '../../../platforms/platform-names.ts'

export type Column = 'id' | 'version' | 'text' | 'date' | 'time' | 'zone' | 'platforms' | 'media' | 'status'

/** The headings of each column, in lowercase and without separators. */
const HEADINGS: Record<Column, string> = {
  // Many sheets number their rows in a column "Id".
  id: 'upnextid',
  version: 'upnextversion',
  text: 'content text post posttext caption message copy body tweet beitrag texte texto',
  date: `scheduledate date day when datetime dateandtime publishdate scheduledat scheduledfor scheduledtime scheduled postdate
    postingdate publicationdate publishingdate golivedate golive publishon publishat poston postat datum fecha data`,
  time: 'time hour clock publishtime uhrzeit zeit heure hora',
  zone: 'timezone zone tz',
  platforms: `platforms platform networks network channels channel socialnetwork plattform plattformen kanal kanäle plateforme
    plateformes réseau réseaux plataforma plataformas canal canales canais red redes rede`,
  media: 'media medialink mediaurl image imageurl imagelink video videourl picture bild imagen imagem',
  status: 'status state saveas statut estado',
}

export const findColumn = (heading: string): Column | undefined =>
  (Object.keys(HEADINGS) as Column[]).find((column) =>
    HEADINGS[column].split(/\s+/).includes(normalizeName(heading)),
  )
