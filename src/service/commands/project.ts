import { insertProject, listProjects } from '../storage/projects.ts'
import { command } from './command.ts'
import { noteOperator, table } from './operator.ts'

export const addProject = command({
  words: 'project add',
  help: 'Makes a project.',
  args: ['name'],
  async run(context, { name }) {
    if (!name.trim()) return { fault: 'A project needs a name.' }
    const project = await insertProject(context.db, name.trim())
    if (!project) return { fault: `There is a project "${name}" already.` }
    const message = `Made the project ${project.name}.`
    await noteOperator(context, { project_id: project.id, action: 'project.created', message })
    return `Made the project "${project.name}" (${project.id}).`
  },
})

export const showProjects = command({
  words: 'project list',
  help: 'Shows the projects.',
  async run({ db }) {
    const projects = await listProjects(db)
    return table(
      projects.map((project) => [project.id, project.name]),
      'There is no project yet.',
    )
  },
})
