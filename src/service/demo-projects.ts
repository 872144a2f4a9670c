import type { DemoImage } from './demo-images.ts'
import type { Platform } from './values.ts'

type DemoPost = {
  /** The post's date, counted from the start of the day on which the demo data is created. */
  dateOffset: { days: number; hours: number; minutes?: number }
  content: string
  platforms: Platform[]
  isDraft?: boolean
  image?: DemoImage
}

export type DemoProject = {
  name: string
  timezone: string
  posts: DemoPost[]
  template: { title: string; content: string }
  prompt: { title: string; prompt_text: string }
  source: { source: string; description: string }
}

/** Every post must suit any time of year, because its date depends on when the service first starts. */
export const DEMO_PROJECTS: DemoProject[] = [
  {
    name: 'Northwind Coffee',
    timezone: 'Europe/Berlin',
    posts: [
      {
        dateOffset: { days: -1, hours: 12, minutes: 30 },
        content: 'Back in stock: the small kettle that everybody asks for.',
        platforms: ['FACEBOOK', 'PINTEREST'],
        image: 'kettle',
      },
      {
        dateOffset: { days: 1, hours: 8, minutes: 30 },
        content: 'A new roast is here: dark chocolate, orange peel, and a long finish.',
        platforms: ['INSTAGRAM', 'FACEBOOK'],
        image: 'new-roast',
      },
      {
        dateOffset: { days: 5, hours: 10 },
        content: 'How we choose a coffee: we taste forty samples, argue, and buy two.',
        platforms: ['LINKEDIN', 'THREADS'],
      },
      {
        dateOffset: { days: 12, hours: 11 },
        content: 'A word on our prices',
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
        dateOffset: { days: -2, hours: 17, minutes: 45 },
        content: 'A spare tube, two levers, a pump: what we never ride without.',
        platforms: ['X', 'THREADS'],
      },
      {
        dateOffset: { days: 1, hours: 7 },
        content: 'Morning ride: 42 miles along the river, regroup at every bridge.',
        platforms: ['INSTAGRAM', 'X'],
        image: 'river-ride',
      },
      {
        dateOffset: { days: 2, hours: 18, minutes: 30 },
        content: 'Workshop tonight: fix a flat in the dark, in the rain, in a hurry.',
        platforms: ['FACEBOOK'],
      },
      {
        dateOffset: { days: 4, hours: 12 },
        content: 'Tires for wet roads: what we ride, and what we stopped riding.',
        platforms: ['REDDIT', 'THREADS'],
      },
      {
        dateOffset: { days: 6, hours: 9 },
        content: 'The new frame is painted. You choose the name.',
        platforms: ['PINTEREST', 'INSTAGRAM'],
        image: 'painted-frame',
      },
      {
        dateOffset: { days: 9, hours: 15 },
        content: 'Thanks to everybody who rode for the shelter',
        platforms: ['LINKEDIN', 'FACEBOOK'],
        isDraft: true,
      },
    ],
    template: { title: 'Ride', content: '{day} ride: {distance} miles, {pace}. Meet at {place}.' },
    prompt: {
      title: 'Route story',
      prompt_text: 'Describe this route as you would to a friend. Two sentences.',
    },
    source: { source: 'https://harbor.example/rides.json', description: 'The ride calendar' },
  },
]
