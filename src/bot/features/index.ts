import type { Feature } from '../feature.ts'
import type { Form } from '../form/form.ts'
import { inviteUser } from './invite-user.ts'
import { listAllProjects } from './list-projects.ts'
import { schedulePost } from './schedule-post.ts'
import { upNext } from './up-next.ts'
import { useProject } from './use-project.ts'

export const forms: Form[] = [schedulePost, inviteUser]

/** All that a person can do, in the order of the help. `/upnext` alone is the first. */
export const features: Feature[] = [upNext, schedulePost, inviteUser, listAllProjects, useProject]
