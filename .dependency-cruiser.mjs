// Each source has layers, from the lowest to the highest. A folder may import the folders in the lines
// above it, not those in its own line or below. Type imports count too. A layer may also be one file.
const pluginLayers = [
	["database"],
	["call"],
	["isolation"],
	["management"],
	["features", "upgrade", "conformance", "testing"],
	["installation"],
];

const serverLayers = [
	["settings"],
	["monitoring"],
	["database", "operators"],
	["rate-limits", "regions"],
	["email", "event-stream", "logos", "openid-provider"],
	["saml", "scim", "sign-up-fields", "tenant-file"],
	["home-realm"],
	["auth"],
	["jobs", "pages"],
	["http"],
];

const consoleLayers = [["design"], ["ui"], ["api"], ["sign-in"], ["tenant", "operator"], ["admin"]];

const operatorLayers = [
	["api"],
	["lists", "session", "current-tenant"],
	[
		...["account", "audit", "branding", "domains", "keys", "mails", "operators", "outbox"],
		...["policy", "providers", "saml", "service"],
	],
	["overview", "sign-ins"],
	["users"],
	["applications", "directory", "webhooks"],
	["tenants"],
	["shell"],
];

const benchLayers = [
	["host", "instruments"],
	["charts", "floor", "seeding"],
	["setup"],
	["measurements", "report"],
	["weight"],
];

/**
 * @typedef {object} Source
 * @property {string} name in the names of its rules
 * @property {string} folder
 * @property {string[][]} layers
 * @property {string[]} entries files and folders that put the layers together; no layer imports them
 * @property {boolean} [mayShareTypes] whether files beside the layers may import types of them
 */

/** @type {Source[]} */
const sources = [
	{
		name: "plugin",
		folder: "packages/tenant-auth/src",
		layers: pluginLayers,
		entries: ["plugin", "index", "client"],
		mayShareTypes: true,
	},
	{
		name: "server",
		folder: "apps/server/src",
		layers: serverLayers,
		entries: ["server", "startup-banner", "main", "cli"],
	},
	{ name: "console", folder: "apps/console/src", layers: consoleLayers, entries: [] },
	{
		name: "operator",
		folder: "apps/console/src/operator",
		layers: operatorLayers,
		entries: ["OperatorGate", "OperatorApp", "routes", "main"],
	},
	{ name: "bench", folder: "bench/src", layers: benchLayers, entries: ["run", "seed"] },
];

/** @param {Source} source */
function rulesOf({ name, folder, layers, entries, mayShareTypes = false }) {
	/** @param {string[]} names */
	const among = (names) => `^${folder}/(${names.join("|")})(/|\\.tsx?$)`;
	const inLayers = among(layers.flat());
	const inEntries = among(entries);
	return [
		{
			name: `${name}-no-file-cycle`,
			severity: "error",
			from: { path: `^${folder}` },
			to: { circular: true },
		},
		{
			name: `${name}-no-folder-cycle`,
			severity: "error",
			scope: "folder",
			from: { path: `^${folder}/[^/]+` },
			to: { circular: true },
		},
		...layers.flatMap((line, index) =>
			line.map((layer) => ({
				name: `${name}-layer-${layer}`,
				severity: "error",
				from: { path: among([layer]) },
				to: {
					path: among(
						layers
							.slice(index)
							.flat()
							.filter((other) => other !== layer),
					),
				},
			})),
		),
		{
			name: `${name}-layers-do-not-import-entries`,
			severity: "error",
			from: { path: inLayers },
			to: { path: inEntries },
		},
		{
			name: `${name}-shared-files-import-no-layer`,
			comment: "Otherwise a lower layer could import a higher one through such a file.",
			severity: "error",
			from: { path: `^${folder}/[^/]+$`, pathNot: [inLayers, inEntries] },
			to: { path: inLayers, ...(mayShareTypes ? { dependencyTypesNot: ["type-only"] } : {}) },
		},
		{
			name: `${name}-every-folder-is-a-layer`,
			severity: "error",
			from: { path: `^${folder}/[^/]+/`, pathNot: [inLayers, inEntries] },
			to: {},
		},
	];
}

/** What the command line of the server loads for each `--help`. */
const helpOfCommands =
	"^apps/server/src/cli/(commands/|(main|program|lazily|operator-role|option-values|output)\\.ts$)";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
	forbidden: [
		...sources.flatMap(rulesOf),
		{
			name: "console-does-not-import-tenant-pages",
			comment: "They are two apps: for users of a tenant, and for operators and administrators.",
			severity: "error",
			from: { path: "^apps/console/src/(operator|admin)/" },
			to: { path: "^apps/console/src/tenant/" },
		},
		{
			name: "commands-load-their-work-lazily",
			comment:
				"Put it into cli/actions, and name it with lazily(). test/cli-start.test.ts has the rest.",
			severity: "error",
			from: { path: helpOfCommands },
			to: {
				path: "^apps/server/src/(cli/|(auth|main|server)\\.ts$)",
				pathNot: helpOfCommands,
				dynamic: false,
				dependencyTypesNot: ["type-only"],
			},
		},
		{
			name: "load-no-file-cycle",
			severity: "error",
			from: { path: "^apps/server/load" },
			to: { circular: true },
		},
	],
	options: {
		tsPreCompilationDeps: true,
		exclude: { path: "(^|/)node_modules/" },
	},
};
