import type { Platform, Role } from './allowed-values.ts'

export const DEMO_ADMIN = 'mara@upnext.example'
export const DEMO_EDITOR = 'tomas@upnext.example'

type DemoPerson = { email: string; first_name: string; last_name: string; role: Role }

export const DEMO_PEOPLE: DemoPerson[] = [
  { email: DEMO_ADMIN, first_name: 'Mara', last_name: 'Lindqvist', role: 'ADMIN' },
  { email: DEMO_EDITOR, first_name: 'Tomas', last_name: 'Ferreira', role: 'EDITOR' },
  { email: 'ines@upnext.example', first_name: 'Ines', last_name: 'Okafor', role: 'VIEWER' },
]

export type DemoPost = {
  /** The post's date, in days from the day when the demo data is created. */
  inDays: number
  at: string
  content: string
  platforms: Platform[]
  draft?: true
  media?: string
}

export type DemoProject = {
  name: string
  timezone: string
  posts: DemoPost[]
  templates: { title: string; content: string; description: string }[]
  prompts: { title: string; prompt_text: string; description: string }[]
  sources: { source: string; description: string }[]
}

export const DEMO_PROJECTS: DemoProject[] = [
  {
    name: 'Northwind Coffee',
    timezone: 'Europe/Berlin',
    posts: [
      {
        inDays: -3,
        at: '08:00',
        content: 'Frost on the windows, cinnamon in the grinder.',
        platforms: ['INSTAGRAM', 'X'],
        media: 'https://media.upnext.example/frost.jpg',
      },
      {
        inDays: -1,
        at: '12:30',
        content: 'Back in stock: the small kettle that everybody asks for.',
        platforms: ['FACEBOOK', 'PINTEREST'],
        media: 'https://media.upnext.example/kettle.jpg',
      },
      {
        inDays: 1,
        at: '08:30',
        content: 'The winter roast is back: dark chocolate, orange peel, and a long finish.',
        platforms: ['INSTAGRAM', 'FACEBOOK'],
        media: 'https://media.upnext.example/winter-roast.jpg',
      },
      {
        inDays: 1,
        at: '12:00',
        content: 'Lunch break? Our Kreuzberg bar is open until six today.',
        platforms: ['X', 'THREADS'],
      },
      {
        inDays: 2,
        at: '09:00',
        content: 'We are hiring a second roaster. Curious hands welcome, experience is a bonus.',
        platforms: ['LINKEDIN'],
      },
      {
        inDays: 3,
        at: '17:00',
        content: 'Friday cupping: three coffees, no spitting contest. Seats are limited.',
        platforms: ['INSTAGRAM', 'TELEGRAM'],
        media: 'https://media.upnext.example/cupping.jpg',
      },
      {
        inDays: 5,
        at: '10:00',
        content: 'How we pick a harvest, in ninety seconds.',
        platforms: ['YOUTUBE', 'TIKTOK'],
        media: 'https://media.upnext.example/harvest.mp4',
      },
      {
        inDays: 8,
        at: '08:00',
        content: 'Subscriptions ship on Monday. Change your roast until Sunday night.',
        platforms: ['FACEBOOK', 'X'],
      },
      {
        inDays: 12,
        at: '11:00',
        content: 'A word on prices in spring',
        platforms: ['LINKEDIN'],
        draft: true,
      },
    ],
    templates: [
      {
        title: 'New roast',
        content: '{name} is here: {notes}. Beans and filter, from {price}.',
        description: 'For every new coffee',
      },
      {
        title: 'Opening hours',
        content: 'This {day} we are open from {from} to {to}.',
        description: 'Holidays and odd days',
      },
    ],
    prompts: [
      {
        title: 'Tasting notes',
        prompt_text:
          'Describe this coffee in one sentence that makes somebody thirsty. No more than three flavours.',
        description: 'For roasts',
      },
    ],
    sources: [
      { source: 'https://northwind.example/blog/feed.xml', description: 'The roastery blog' },
      { source: 'https://northwind.example/events.ics', description: 'Cuppings and courses' },
    ],
  },
  {
    name: 'Harbor Cycling',
    timezone: 'America/New_York',
    posts: [
      {
        inDays: -2,
        at: '17:45',
        content: 'Lights on, everybody: it is dark at five now.',
        platforms: ['X', 'THREADS'],
      },
      {
        inDays: 1,
        at: '07:00',
        content: 'Saturday ride: 42 miles along the river, regroup at every bridge.',
        platforms: ['INSTAGRAM', 'X'],
        media: 'https://media.upnext.example/river.jpg',
      },
      {
        inDays: 2,
        at: '18:30',
        content: 'Workshop tonight: fix a flat in the dark, in the rain, in a hurry.',
        platforms: ['FACEBOOK'],
      },
      {
        inDays: 4,
        at: '12:00',
        content: 'Winter tyres: what we ride, and what we stopped riding.',
        platforms: ['REDDIT', 'THREADS'],
      },
      {
        inDays: 6,
        at: '09:00',
        content: 'The new frame is painted. You choose the name.',
        platforms: ['PINTEREST', 'INSTAGRAM'],
        media: 'https://media.upnext.example/frame.jpg',
      },
      {
        inDays: 9,
        at: '15:00',
        content: 'Thanks to everybody who rode for the shelter',
        platforms: ['LINKEDIN', 'FACEBOOK'],
        draft: true,
      },
    ],
    templates: [
      {
        title: 'Ride',
        content: '{day} ride: {distance} miles, {pace}. Meet at {place}.',
        description: 'The weekly announcement',
      },
    ],
    prompts: [
      {
        title: 'Route story',
        prompt_text: 'Tell this route as if to a friend who has never ridden it. Two sentences.',
        description: 'For rides',
      },
    ],
    sources: [{ source: 'https://harbor.example/rides.json', description: 'The ride calendar' }],
  },
]
