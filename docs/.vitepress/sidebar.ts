import type { DefaultTheme } from "vitepress";

/** All pages, in the order in which a reader needs them. A test compares it with the files. */
const PAGES = {
	Start: {
		introduction: "What it is",
		"quick-start": "Quick start",
		starter: "Start with a template",
		examples: "Examples",
		"which-tenant": "Which tenant a request is for",
		glossary: "Glossary",
	},
	Tenants: {
		tenants: "Create, suspend, delete",
		management: "Who may manage",
		"tenant-hosts": "Host names",
		domains: "Domains",
		policy: "Policy",
		"switching-tenants": "Several in one browser",
	},
	People: {
		people: "Roles and users",
		"tenant-admin": "Pages for administrators",
		invitations: "Invitations",
		"moving-in": "Moving in",
		"from-single-tenant": "From one tenant to several",
		"from-own-tenants-table": "From your own tenants table",
	},
	"Sign-in": {
		"sign-in-pages": "Sign-in pages",
		mobile: "Native apps",
		"machine-clients": "API keys and machine clients",
		"oauth-clients": "OAuth clients",
		"oauth-providers": "Settings of providers",
		"own-identity-providers": "Own identity providers",
		passwords: "The password queue",
	},
	"Your app": {
		frameworks: "Frameworks",
		databases: "Databases",
		compatibility: "Plugins and runtimes",
		emails: "Emails",
		events: "Events and webhooks",
		extending: "Your own features",
		testing: "Tests of your app",
		"row-level-security": "Row Level Security",
		upgrading: "Upgrading a database",
		"upgrade-notes": "Upgrade notes",
	},
	"The service": {
		"first-app": "A first app",
		service: "Settings and operation",
		apps: "Apps in any language",
		deploy: "Deploying",
		"http-api": "HTTP API",
	},
	Trust: {
		security: "Security",
		threats: "Threats and their tests",
		"security-testing": "What was attacked",
		conformance: "Check your own app",
		performance: "Performance",
		scaling: "Scaling",
		"how-it-works": "How it works",
	},
	Reference: {
		"reference/endpoints": "Endpoints",
		"reference/options": "Options",
		"reference/client": "Client",
		"reference/errors": "Errors",
		"reference/limits": "Limits",
		"reference/tables": "Tables",
		"reference/cli": "Command line",
		"reference/service-cli": "Command line of the service",
	},
} satisfies Record<string, Record<string, string>>;

export const sidebar: DefaultTheme.SidebarItem[] = Object.entries(PAGES).map(([text, pages]) => ({
	text,
	items: Object.entries(pages).map(([file, title]) => ({ text: title, link: `/${file}` })),
}));
