import type { ZoneOption } from './take-zone.ts'

/**
 * What people write for a zone. Intl knows such letters only for the country of its locale, so these are by hand: the
 * place whose clocks show them, and their offset in minutes; none where the letters hold in summer and winter.
 */
const us = (zone: string, standard: number, letter: string): [string, ZoneOption[]][] => [
  [`${letter}t`, [{ zone }]],
  [`${letter}st`, [{ zone, offset: standard }]],
  [`${letter}dt`, [{ zone, offset: standard + 60 }]],
]

export const ABBREVIATIONS = new Map<string, ZoneOption[]>([
  ...us('America/New_York', -300, 'e'),
  ...us('America/Chicago', -360, 'c'),
  ...us('America/Denver', -420, 'm'),
  ...us('America/Los_Angeles', -480, 'p'),
  [
    'cst',
    [
      { zone: 'America/Chicago', offset: -360 },
      { zone: 'Asia/Shanghai', offset: 480 },
      { zone: 'America/Havana', offset: -300 },
    ],
  ],
  ['akst', [{ zone: 'America/Anchorage', offset: -540 }]],
  ['akdt', [{ zone: 'America/Anchorage', offset: -480 }]],
  ['hst', [{ zone: 'Pacific/Honolulu', offset: -600 }]],
  [
    'ast',
    [
      { zone: 'America/Halifax', offset: -240 },
      { zone: 'Asia/Riyadh', offset: 180 },
    ],
  ],
  ['adt', [{ zone: 'America/Halifax', offset: -180 }]],
  ['brt', [{ zone: 'America/Sao_Paulo', offset: -180 }]],
  ['art', [{ zone: 'America/Argentina/Buenos_Aires', offset: -180 }]],
  ['utc', [{ zone: 'UTC', offset: 0 }]],
  ['gmt', [{ zone: 'Etc/GMT', offset: 0 }]],
  ['zulu', [{ zone: 'UTC', offset: 0 }]],
  ['bst', [{ zone: 'Europe/London', offset: 60 }]],
  ['wet', [{ zone: 'Europe/Lisbon', offset: 0 }]],
  ['west', [{ zone: 'Europe/Lisbon', offset: 60 }]],
  ['cet', [{ zone: 'Europe/Berlin', offset: 60 }]],
  ['cest', [{ zone: 'Europe/Berlin', offset: 120 }]],
  ['eet', [{ zone: 'Europe/Athens', offset: 120 }]],
  ['eest', [{ zone: 'Europe/Athens', offset: 180 }]],
  ['msk', [{ zone: 'Europe/Moscow', offset: 180 }]],
  ['trt', [{ zone: 'Europe/Istanbul', offset: 180 }]],
  ['sast', [{ zone: 'Africa/Johannesburg', offset: 120 }]],
  ['gst', [{ zone: 'Asia/Dubai', offset: 240 }]],
  ['pkt', [{ zone: 'Asia/Karachi', offset: 300 }]],
  [
    'ist',
    [
      { zone: 'Asia/Kolkata', offset: 330 },
      { zone: 'Europe/Dublin', offset: 60 },
      { zone: 'Asia/Jerusalem', offset: 120 },
    ],
  ],
  ['ict', [{ zone: 'Asia/Bangkok', offset: 420 }]],
  ['wib', [{ zone: 'Asia/Jakarta', offset: 420 }]],
  ['sgt', [{ zone: 'Asia/Singapore', offset: 480 }]],
  ['hkt', [{ zone: 'Asia/Hong_Kong', offset: 480 }]],
  ['pht', [{ zone: 'Asia/Manila', offset: 480 }]],
  ['awst', [{ zone: 'Australia/Perth', offset: 480 }]],
  ['jst', [{ zone: 'Asia/Tokyo', offset: 540 }]],
  ['kst', [{ zone: 'Asia/Seoul', offset: 540 }]],
  ['acst', [{ zone: 'Australia/Adelaide', offset: 570 }]],
  ['acdt', [{ zone: 'Australia/Adelaide', offset: 630 }]],
  ['aest', [{ zone: 'Australia/Sydney', offset: 600 }]],
  ['aedt', [{ zone: 'Australia/Sydney', offset: 660 }]],
  ['nzst', [{ zone: 'Pacific/Auckland', offset: 720 }]],
  ['nzdt', [{ zone: 'Pacific/Auckland', offset: 780 }]],
])
