import { defineConfig } from "vitepress";
import { fileNames } from "./file-names";
import { linksToRepository } from "./links-to-repository";
import { sidebar } from "./sidebar";

export default defineConfig({
	title: "better-auth-tenant",
	description: "Tenants for Better Auth",
	lang: "en-US",
	cleanUrls: true,
	outDir: "./.vitepress/dist",
	// A dead link fails the build.
	ignoreDeadLinks: [/^http:\/\/localhost/],
	markdown: {
		config: (renderer) => {
			linksToRepository(renderer);
			fileNames(renderer);
		},
	},
	themeConfig: {
		nav: [
			{ text: "Quick start", link: "/quick-start" },
			{ text: "The service", link: "/service" },
			{ text: "Reference", link: "/reference/endpoints" },
		],
		sidebar,
		outline: [2, 3],
		search: { provider: "local" },
	},
});
