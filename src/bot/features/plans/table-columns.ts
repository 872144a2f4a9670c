import { normalizeName } from '../../../platforms/platform-names.ts'

export type Column = 'id' | 'version' | 'text' | 'date' | 'time' | 'zone' | 'platforms' | 'media' | 'status'

/** The headings of each column, in lowercase and without separators. */
const HEADINGS: Record<Column, string[]> = {
  // Many sheets number their rows in a column "Id".
  id: ['upnextid'],
  version: ['upnextversion'],
  text: ['content', 'text', 'post', 'posttext', 'caption', 'message', 'copy', 'body', 'tweet'],
  date: [
    ...['scheduledate', 'date', 'day', 'when', 'datetime', 'dateandtime', 'publishdate', 'scheduledat'],
    ...['postdate', 'postingdate', 'publicationdate', 'publishingdate', 'golivedate'],
  ],
  time: ['time', 'hour', 'clock', 'publishtime'],
  zone: ['timezone', 'zone', 'tz'],
  platforms: ['platforms', 'platform', 'networks', 'network', 'channels', 'channel', 'socialnetwork'],
  media: ['media', 'medialink', 'mediaurl', 'image', 'imageurl', 'imagelink', 'video', 'videourl', 'picture'],
  status: ['status', 'state', 'saveas'],
}

export const findColumn = (heading: string): Column | undefined =>
  (Object.keys(HEADINGS) as Column[]).find((column) => HEADINGS[column].includes(normalizeName(heading)))
