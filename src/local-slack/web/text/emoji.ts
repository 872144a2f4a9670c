/** The most common emoji by their names in Slack. The page shows any other emoji as its name. */
const NAMES_AND_EMOJI = `
+1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 ok_hand 👌 clap 👏 raised_hands 🙌 pray 🙏 wave 👋 muscle 💪 point_right 👉
point_left 👈 point_up ☝️ point_down 👇 writing_hand ✍️ eyes 👀 brain 🧠 speech_balloon 💬 thought_balloon 💭 zzz 💤
smile 😄 smiley 😃 grinning 😀 grin 😁 joy 😂 wink 😉 blush 😊 slightly_smiling_face 🙂 thinking_face 🤔 sweat_smile 😅
sob 😭 cry 😢 angry 😠 scream 😱 sunglasses 😎 heart_eyes 😍 tada 🎉 confetti_ball 🎊 balloon 🎈 gift 🎁 heart ❤️
yellow_heart 💛 green_heart 💚 blue_heart 💙 broken_heart 💔 sparkles ✨ star ⭐ star2 🌟 fire 🔥 boom 💥 zap ⚡ rocket 🚀
white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌ negative_squared_cross_mark ❎ heavy_multiplication_x ✖️
warning ⚠️ no_entry ⛔ no_entry_sign 🚫 octagonal_sign 🛑 question ❓ exclamation ❗ information_source ℹ️ bulb 💡
red_circle 🔴 large_orange_circle 🟠 large_yellow_circle 🟡 large_green_circle 🟢 large_blue_circle 🔵 white_circle ⚪ black_circle ⚫
large_green_square 🟩 large_red_square 🟥 large_yellow_square 🟨 white_large_square ⬜ small_blue_diamond 🔹
calendar 📆 date 📅 spiral_calendar_pad 🗓️ alarm_clock ⏰ stopwatch ⏱️ hourglass ⌛ hourglass_flowing_sand ⏳ clock1 🕐
clock9 🕘 clock12 🕛 bell 🔔 no_bell 🔕 mega 📣 loudspeaker 📢 email 📧 envelope ✉️ inbox_tray 📥 outbox_tray 📤 package 📦
memo 📝 pencil 📝 pencil2 ✏️ clipboard 📋 page_facing_up 📄 newspaper 📰 bookmark 🔖 label 🏷️ link 🔗 paperclip 📎
pushpin 📌 round_pushpin 📍 mag 🔍 mag_right 🔎 lock 🔒 unlock 🔓 key 🔑 hammer 🔨 wrench 🔧 gear ⚙️ toolbox 🧰
chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 bar_chart 📊 computer 💻 iphone 📱 camera 📷 movie_camera 🎥
frame_with_picture 🖼️ art 🎨 musical_note 🎵 robot_face 🤖 bust_in_silhouette 👤 busts_in_silhouette 👥 wastebasket 🗑️
arrow_right ➡️ arrow_left ⬅️ arrow_up ⬆️ arrow_down ⬇️ arrows_counterclockwise 🔄 repeat 🔁 heavy_plus_sign ➕
heavy_minus_sign ➖ one 1️⃣ two 2️⃣ three 3️⃣ four 4️⃣ five 5️⃣ sunny ☀️ sunrise 🌅 cloud ☁️ umbrella ☔ snowflake ❄️ rainbow 🌈
seedling 🌱 coffee ☕ pizza 🍕 cake 🍰 birthday 🎂 trophy 🏆 medal 🏅 dart 🎯 soccer ⚽ bike 🚲 car 🚗 airplane ✈️
house 🏠 office 🏢 earth_africa 🌍 earth_americas 🌎 earth_asia 🌏 globe_with_meridians 🌐 100 💯
`
  .trim()
  .split(/\s+/)

const EMOJI_BY_NAME: ReadonlyMap<string, string> = new Map(
  NAMES_AND_EMOJI.flatMap((name, index) => (index % 2 ? [] : [[name, NAMES_AND_EMOJI[index + 1] ?? '']])),
)

/** Ignores a skin tone, as in "wave::skin-tone-2". */
export const findEmoji = (name: string): string | undefined => EMOJI_BY_NAME.get(name.split('::')[0] ?? '')

/** Replaces names such as ":tada:" in plain text. */
export const replaceEmojiNames = (text: string): string =>
  text.replace(/:([\w+-]+):/g, (placeholder, name) => findEmoji(name) ?? placeholder)
