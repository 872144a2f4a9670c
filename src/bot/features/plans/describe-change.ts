import { escapeFormatting, type Viewer } from '../../slack/message-blocks.ts'
import { formatSchedule, platformNames, quotePost } from '../posts/display/post-blocks.ts'
import type { PlanRow } from './tables.ts'
import { hasSameTime } from './write-table.ts'

/** The parts of a post that a row replaces: 'Before: Fri 27 Nov, 09:00 Berlin, in 2 days · "Launch day!"'. */
export function describeChange({ body, was }: PlanRow, viewer: Viewer): string {
  if (!body || !was) return ''
  const before = [
    ...(hasSameTime(was, body) ? [] : [formatSchedule(was, viewer)]),
    ...(was.Content === body.Content ? [] : [escapeFormatting(quotePost(was))]),
    ...(platformNames(was) === platformNames(body) ? [] : [platformNames(was)]),
    ...((was.Media ?? '') === (body.Media ?? '') ? [] : [was.Media ? 'other media' : 'no media']),
    ...(isDraft(was) === isDraft(body) ? [] : [isDraft(was) ? 'draft' : 'scheduled']),
  ]
  return before.length ? `Before: ${before.join(' · ')}` : ''
}

const isDraft = ({ Status }: { Status?: string | undefined }): boolean => Status === 'DRAFT'
