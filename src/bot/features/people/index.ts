import type { Module } from '../../slack/feature.ts'
import { changeWriters } from './change-writers.ts'
import { chooseZone } from './choose-zone.ts'
import { inviteUser } from './invite-user.ts'
import { listPeople } from './list-people.ts'
import { updateUser } from './update-user.ts'

export const peopleModule: Module = {
  heading: 'Team and projects',
  features: [inviteUser, updateUser, listPeople, changeWriters, chooseZone],
}
