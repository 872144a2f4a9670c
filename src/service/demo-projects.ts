import type { Platform } from './values-and-limits.ts'

type DemoPost = {
  /** The time from the start of the day when the demo data is created to the post's date. */
  after: { days: number; hours: number; minutes?: number }
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
        after: { days: -1, hours: 12, minutes: 30 },
        content: 'Back in stock: the small kettle that everybody asks for.',
        platforms: ['FACEBOOK', 'PINTEREST'],
        media: 'https://media.upnext.example/kettle.jpg',
      },
      {
        after: { days: 1, hours: 8, minutes: 30 },
        content: 'The winter roast is back: dark chocolate, orange peel, and a long finish.',
        platforms: ['INSTAGRAM', 'FACEBOOK'],
        media: 'https://media.upnext.example/winter-roast.jpg',
      },
      {
        after: { days: 5, hours: 10 },
        content: 'How we pick a harvest, in ninety seconds.',
        platforms: ['YOUTUBE', 'TIKTOK'],
        media: 'https://media.upnext.example/harvest.mp4',
      },
      {
        after: { days: 12, hours: 11 },
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
        after: { days: -2, hours: 17, minutes: 45 },
        content: 'Lights on, everybody: it is dark at five now.',
        platforms: ['X', 'THREADS'],
      },
      {
        after: { days: 1, hours: 7 },
        content: 'Saturday ride: 42 miles along the river, regroup at every bridge.',
        platforms: ['INSTAGRAM', 'X'],
        media: 'https://media.upnext.example/river.jpg',
      },
      {
        after: { days: 2, hours: 18, minutes: 30 },
        content: 'Workshop tonight: fix a flat in the dark, in the rain, in a hurry.',
        platforms: ['FACEBOOK'],
      },
      {
        after: { days: 4, hours: 12 },
        content: 'Winter tyres: what we ride, and what we stopped riding.',
        platforms: ['REDDIT', 'THREADS'],
      },
      {
        after: { days: 6, hours: 9 },
        content: 'The new frame is painted. You choose the name.',
        platforms: ['PINTEREST', 'INSTAGRAM'],
        media: 'https://media.upnext.example/frame.jpg',
      },
      {
        after: { days: 9, hours: 15 },
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
