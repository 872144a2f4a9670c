# Builds dist, unless nothing has changed since it was built.
set -e

sources='src package.json tsconfig.json'
tools=node_modules/.bin/tsx
# npm writes these two when it removes the development dependencies.
if [ -e "$tools" ]; then sources="$sources package-lock.json node_modules/.package-lock.json"; fi

if [ -f dist/.built ] && [ -f dist/main.js ]; then
  changed=$(find $sources -newer dist/.built -not -path 'src/local-slack*/dist*' -not -path src/local-slack -print -quit)
  if [ -z "$changed" ]; then exit; fi
fi

if [ ! -e "$tools" ]; then
  echo 'Upnext has to be built, and the development dependencies for that are missing. Run "npm ci && npm run build". Afterwards, you can remove them with "npm prune --omit=dev".' >&2
  exit 1
fi

mkdir -p dist
touch "dist/.building.$$"
npm run --silent build --workspace local-slack
"$tools" src/bundle.ts
# The file's time is when the build began, so a change during the build causes another build.
mv "dist/.building.$$" dist/.built
