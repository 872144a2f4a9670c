FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY src/local-slack/package.json src/local-slack/
RUN npm ci
COPY . .
# POSTGRES=none halves the image, which then needs DATABASE_URL.
ARG POSTGRES=embedded
RUN npm run --silent assemble -- /app $([ "$POSTGRES" = embedded ] || echo --without-postgres)

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /data \
  && printf '#!/bin/sh\nexec node /app/dist/service/command-line.js "$@"\n' > /usr/local/bin/upnext-service \
  && printf '#!/bin/sh\nexec node /app/dist/after-restore/command-line.js "$@"\n' > /usr/local/bin/upnext-after-restore \
  && chmod 755 /usr/local/bin/upnext-*
COPY --from=build /app /app
USER node
WORKDIR /data
# Upnext listens on all interfaces of the container. Publish only the ports that others need.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data TMPDIR=/data
VOLUME /data
EXPOSE 3000 4010
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini forwards signals, and reaps processes that the embedded PostgreSQL leaves behind.
ENTRYPOINT ["tini", "--", "node", "/app/dist/main.js"]
