import { existsSync } from "node:fs";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

// Better Auth needs its secret also in a build: SvelteKit loads the code of the server at its end.
if (existsSync(".env")) process.loadEnvFile();

export default defineConfig({
	plugins: [sveltekit()],
	server: { port: Number(process.env.PORT ?? 3000) },
});
