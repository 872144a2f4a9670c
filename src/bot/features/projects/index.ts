import type { Module } from '../../slack/feature.ts'
import { createPrompt } from './create-prompt.ts'
import { deleteStagedFile, deleteWebhook } from './delete-records.ts'
import { listAllProjects } from './list-projects.ts'
import { listTemplates } from './list-templates.ts'
import { updateSource } from './update-source.ts'
import { useProject } from './use-project.ts'

export const projectsModule: Module = {
  features: [
    listTemplates,
    createPrompt,
    updateSource,
    listAllProjects,
    useProject,
    deleteWebhook,
    deleteStagedFile,
  ],
}
