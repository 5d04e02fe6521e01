import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = `http://localhost:${process.env.PORT ?? 3000}`;

export default defineConfig({
	plugins: [react()],
	// For `npm run dev`. The server accepts forms of its own origin only.
	server: { proxy: { "/api": { target: server, headers: { origin: server } } } },
});
