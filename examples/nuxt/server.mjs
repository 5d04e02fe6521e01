// Serves the build. Better Auth limits rates in production only, and Nuxt leaves NODE_ENV as it is.
process.env.NODE_ENV ??= "production";

await import("./.output/server/index.mjs");
console.log(
	`Open ${process.env.BETTER_AUTH_URL ?? `http://localhost:${process.env.PORT ?? 3000}`}`,
);
