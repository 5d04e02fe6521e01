// An example does not report to anybody.
process.env.NUXT_TELEMETRY_DISABLED = "1";

export default defineNuxtConfig({
	compatibilityDate: "2026-01-01",
	// All code is in one folder, as in the other examples.
	srcDir: "src",
	serverDir: "src/server",
	css: ["~/style.css"],
	app: {
		head: {
			htmlAttrs: { lang: "en" },
			meta: [{ name: "viewport", content: "width=device-width" }],
		},
	},
	devtools: { enabled: false },
	devServer: { port: Number(process.env.PORT ?? 3000) },
});
