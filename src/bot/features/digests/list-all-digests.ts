import { section } from '../../slack/message-blocks.ts'
import { definePagedList, slicePage } from '../../slack/paged-list.ts'
import { ADMIN_ACCESS } from '../../slack/permissions.ts'
import { describeDigest, EXAMPLE_COMMAND, withCurrentNames } from './digest-list.ts'
import { listDigests } from './digest-store.ts'

const PAGE_SIZE = 10

/** This list also shows the digests of channels that the admin can't see, so it has no buttons. */
export const listAllDigests = definePagedList({
  verb: 'digests',
  help: "See everyone's digests. For owners and admins.",
  access: ADMIN_ACCESS,
  loadPage: async ({ bot, actor, viewer }, { page: requestedPage }) => {
    const digests = await withCurrentNames(bot, await listDigests(bot.db, { team_id: actor.team_id }))
    if (!digests.length) return { message: `Nobody has set up a digest. Set one up with ${EXAMPLE_COMMAND}.` }
    const { items, page, hasMore } = slicePage(digests, requestedPage, PAGE_SIZE)
    const blocks = items.map((digest) => [
      section(`• <#${digest.channel_id}> ${describeDigest(digest, viewer)}`),
    ])
    return { title: "Everyone's digests", items: blocks, page, hasMore }
  },
})
