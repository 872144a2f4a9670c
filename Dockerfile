FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY src/local-slack/package.json src/local-slack/
RUN npm ci
COPY . .
# Without the embedded PostgreSQL, the image is half as large, and needs DATABASE_URL.
ARG POSTGRES=embedded
RUN npm run --silent assemble -- /app $([ "$POSTGRES" = embedded ] || echo --without-postgres)

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /data
COPY --from=build /app /app
USER node
WORKDIR /data
# A container's own network reaches these ports. Which of them anyone else reaches is up to the engine.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000 4010
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini passes signals on and ends what the embedded PostgreSQL may leave.
ENTRYPOINT ["tini", "--", "node", "/app/dist/main.js"]
