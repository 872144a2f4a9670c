import type { Platform } from './allowed-values.ts'

export type DemoPost = {
  /** The post's date, in days from the day when the demo data is created. */
  inDays: number
  at: string
  content: string
  platforms: Platform[]
  isDraft?: boolean
  media?: string
}

export type DemoProject = {
  name: string
  timezone: string
  posts: DemoPost[]
  template: { title: string; content: string }
  prompt: { title: string; prompt_text: string }
  source: { source: string; description: string }
}

export const DEMO_PROJECTS: DemoProject[] = [
  {
    name: 'Northwind Coffee',
    timezone: 'Europe/Berlin',
    posts: [
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
        inDays: 2,
        at: '09:00',
        content: 'We are hiring a second roaster. Curious hands welcome, experience is a bonus.',
        platforms: ['LINKEDIN'],
      },
      {
        inDays: 5,
        at: '10:00',
        content: 'How we pick a harvest, in ninety seconds.',
        platforms: ['YOUTUBE', 'TIKTOK'],
        media: 'https://media.upnext.example/harvest.mp4',
      },
      {
        inDays: 12,
        at: '11:00',
        content: 'A word on prices in spring',
        platforms: ['LINKEDIN'],
        isDraft: true,
      },
    ],
    template: { title: 'New roast', content: '{name} is here: {notes}. Beans and filter, from {price}.' },
    prompt: { title: 'Tasting notes', prompt_text: 'Describe this coffee in one sentence.' },
    source: { source: 'https://northwind.example/blog/feed.xml', description: 'The roastery blog' },
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
        isDraft: true,
      },
    ],
    template: { title: 'Ride', content: '{day} ride: {distance} miles, {pace}. Meet at {place}.' },
    prompt: { title: 'Route story', prompt_text: 'Tell this route as if to a friend. Two sentences.' },
    source: { source: 'https://harbor.example/rides.json', description: 'The ride calendar' },
  },
]
