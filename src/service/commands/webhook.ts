import { findWebhook, saveWebhook } from '../storage/webhooks.ts'
import { command } from './command.ts'
import { inProject, noteOperator } from './operator.ts'

export const setWebhook = command({
  words: 'webhook set',
  help: "Names the address that a project's events go to, and shows the signing secret this once.",
  args: ['url'],
  needs: ['project'],
  run: (context, { url, project }) =>
    inProject(context, project, async ({ id, name }) => {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        return { fault: `"${url}" is not an address that begins with https:// or http://.` }
      const secret = `whsec_${context.randomBytes(32).toString('base64')}`
      await saveWebhook(context.db, { project_id: id, url, secret })
      const message = `The events of ${name} go to ${new URL(url).host}.`
      await noteOperator(context, { project_id: id, action: 'webhook.set', message })
      return `${message} They are signed with this secret, which is not shown again:\n${secret}`
    }),
})

export const showWebhook = command({
  words: 'webhook show',
  help: "Shows where a project's events go.",
  needs: ['project'],
  run: (context, input) =>
    inProject(context, input.project, async (project) => {
      const webhook = await findWebhook(context.db, project.id)
      return webhook ? webhook.url : `${project.name} has no webhook.`
    }),
})
