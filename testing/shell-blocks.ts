import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Block, blocksIn, pages, root, textOf } from "./pages";

/**
 * What happens to a block of shell commands in the tests:
 *
 * - executed: this test runs it. It gets the block from `blocksRunBy`, so it cannot leave one out.
 * - checked: it is too slow to run. Every command in it is one that we know, with options that exist.
 * - exempt: it needs something that the tests do not have. What we know in it is checked all the same.
 */
export type Level = { executed: string } | "checked" | { exempt: string };

/** The level of all blocks of a page, or of each by how it begins. */
type PageLevels = Level | Readonly<Record<string, Level>>;

const executed = (test: string): Level => ({ executed: test });
const exempt = (reason: string): Level => ({ exempt: reason });

const SERVICE = executed("apps/server/test/documentation.all.test.ts");
const APPS = executed("apps/server/test/apps-document.all.test.ts");
const FIRST_APP = executed("apps/server/test/first-app.browser.test.ts");
const DEPLOY = executed("apps/server/test/deploy/env-file.all.test.ts");
const DRILL = executed("apps/server/test/deploy/restore-drill.postgres.test.ts");
const TENANT_FILE = executed("apps/server/test/tenant-file.all.test.ts");
const COMMAND = executed("packages/cli/test/docs/commands.all.test.ts");
const ADOPT = executed("packages/cli/test/adopt.test.ts");
const QUICK_START = executed("packages/tenant-auth/test/docs/quick-start.all.test.ts");

const DOCKER = exempt(
	"It needs Docker. compose.all.test.ts and image.docker.test.ts check the files.",
);
const KUBERNETES = exempt("It needs a cluster. kubernetes.all.test.ts checks the files.");
const SYSTEM = exempt("It changes the system as root. unit.systemd.test.ts checks the unit.");
const REGISTRY = exempt("It needs a registry that has our packages.");

const LEVELS: Readonly<Record<string, PageLevels>> = {
	"README.md": {
		"npm start": "checked",
		"npm run build": "checked",
		"npm install better-auth-tenant": REGISTRY,
		"npx better-auth-tenant": COMMAND,
	},
	"CONTRIBUTING.md": DOCKER,
	"apps/server/README.md": "checked",
	"docs/apps.md": APPS,
	"docs/databases.md": "checked",
	"docs/deploy.md": {
		useradd: SYSTEM,
		"npm ci": "checked",
		'echo \'{"overrides"': exempt(
			"published-package.all.test.ts does it with packages of its own.",
		),
		"sed ": DEPLOY,
		"install -D": SYSTEM,
		"sudo -u tenant-auth tenant-auth operator": DEPLOY,
		"sudo -u tenant-auth tenant-auth tenant": DEPLOY,
		openssl: DEPLOY,
		"docker compose": DOCKER,
		"cd deploy/kubernetes": KUBERNETES,
		". /etc/tenant-auth/env": DRILL,
		"tenant-auth tenant create": DEPLOY,
		"tenant-auth user create": DEPLOY,
		"tenant-auth tenant suspend": "checked",
		"tenant-auth tenant import": "checked",
		umask: TENANT_FILE,
	},
	"docs/examples.md": "checked",
	"docs/first-app.md": FIRST_APP,
	"docs/from-organizations.md": COMMAND,
	"docs/from-single-tenant.md": { "npm install": REGISTRY, npx: COMMAND },
	"docs/from-tenant-column.md": ADOPT,
	"docs/http-api.md": SERVICE,
	"docs/import-formats.md": COMMAND,
	"docs/import.md": { npx: COMMAND, curl: SERVICE },
	"docs/machine-clients.md": SERVICE,
	"docs/oauth-clients.md": SERVICE,
	"docs/own-identity-providers.md": exempt("It needs an account at Okta."),
	"docs/people.md": SERVICE,
	"docs/performance-results.md": "checked",
	"docs/quick-start.md": {
		"npm create": "checked",
		"npm init": REGISTRY,
		export: QUICK_START,
		curl: QUICK_START,
	},
	"docs/regions.md": "checked",
	"docs/saml.md": "checked",
	"docs/scim.md": "checked",
	"docs/service.md": {
		"npm start": "checked",
		AUTH: SERVICE,
		curl: SERVICE,
		TENANT: SERVICE,
	},
	"docs/service-emails.md": SERVICE,
	"docs/service-operators.md": SERVICE,
	"docs/starter.md": "checked",
	"docs/threats.md": "checked",
	"docs/upgrade-notes.md": { "npm install": REGISTRY },
	"docs/upgrading.md": COMMAND,
	// `examples/test` starts each of them as here, in a copy that is installed.
	...Object.fromEntries(exampleReadmes().map((page) => [page, "checked"])),
	"packages/cli/README.md": "checked",
	"packages/create-better-auth-tenant/README.md": "checked",
};

/** The `PATH` for blocks of commands. */
export const pathForBlocks = `${join(root, "testing/bin")}:${process.env.PATH}`;

const SHELLS = ["sh", "bash", "shell", "console"];

export const shellBlocksOf = (page: string): Block[] =>
	blocksIn(textOf(page)).filter(({ language }) => SHELLS.includes(language));

/** All pages that may have commands, also those that are not on the site. */
export const pagesWithCommands = [...new Set([...pages, ...Object.keys(LEVELS)])];

/** How the blocks of a page begin that have a level. Nothing if all have the same. */
export function beginningsOf(page: string): string[] {
	const levels = LEVELS[page];
	return levels === undefined || isLevel(levels) ? [] : Object.keys(levels);
}

export function levelOf(page: string, { text }: Block): Level | undefined {
	const levels = LEVELS[page];
	if (levels === undefined || isLevel(levels)) return levels;
	return Object.entries(levels).find(([beginning]) => text.startsWith(beginning))?.[1];
}

/** The blocks of a page that this test has to run, from top to bottom. */
export function blocksRunBy(test: string, page: string): string[] {
	const found = shellBlocksOf(page).filter((block) => {
		const level = levelOf(page, block);
		return typeof level === "object" && "executed" in level && test.endsWith(level.executed);
	});
	if (found.length === 0) throw new Error(`${page} has no block for ${test}`);
	return found.map(({ text }) => text);
}

const isLevel = (levels: PageLevels): levels is Level =>
	levels === "checked" || "executed" in levels || "exempt" in levels;

function exampleReadmes(): string[] {
	return readdirSync(join(root, "examples"))
		.map((name) => `examples/${name}/README.md`)
		.filter((page) => existsSync(join(root, page)));
}
