import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const port = process.env.PORT ?? "3000";

export default defineConfig({
	plugins: [react()],
	server: {
		proxy: {
			"/api": {
				target: `http://localhost:${port}`,
				// For `npm run dev`. The server knows its own port only.
				configure: (proxy) =>
					proxy.on("proxyReq", (outgoing, { headers }) => {
						const host = `${headers.host?.replace(/:\d+$/, "")}:${port}`;
						outgoing.setHeader("host", host);
						outgoing.setHeader("origin", `http://${host}`);
					}),
			},
		},
	},
});
