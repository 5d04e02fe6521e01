// Layers of the plugin, from the lowest to the highest. A folder may import the folders in the lines
// above it, not those in its own line or below. Type imports count too.
const layers = [
	["load-shedding"],
	["database", "handler"],
	["policy"],
	["context"],
	["network"],
	["openid"],
	["isolation"],
	["events"],
	["audit"],
	["management"],
	["tenants", "oauth-clients", "users", "invitations", "webhooks", "secrets"],
	["moving-in"],
	["domains"],
	["endpoints", "upgrade"],
	["installation"],
	["conformance", "testing"],
	["command"],
];

// Files that put the layers together. No layer imports them.
const entryFiles = ["plugin", "index", "client"];

const source = "^packages/tenant-auth/src";

/** @param {string[]} folders */
const inFolders = (folders) => `${source}/(${folders.join("|")})/`;
const inEntryFiles = `${source}/(${entryFiles.join("|")})\\.ts$`;
const inLayers = inFolders(layers.flat());

const layerRules = layers.flatMap((line, index) =>
	line.map((folder) => ({
		name: `layer-${folder}`,
		severity: "error",
		from: { path: inFolders([folder]) },
		to: {
			path: inFolders(
				layers
					.slice(index)
					.flat()
					.filter((other) => other !== folder),
			),
		},
	})),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
	forbidden: [
		{ name: "no-file-cycle", severity: "error", from: { path: source }, to: { circular: true } },
		{
			name: "no-folder-cycle",
			severity: "error",
			scope: "folder",
			from: { path: `${source}/[^/]+` },
			to: { circular: true },
		},
		...layerRules,
		{
			name: "layers-do-not-import-entry-files",
			severity: "error",
			from: { path: inLayers },
			to: { path: inEntryFiles },
		},
		{
			name: "shared-files-import-only-types-of-layers",
			comment: "Otherwise a lower layer could import a higher one through such a file.",
			severity: "error",
			from: { path: `${source}/[^/]+$`, pathNot: inEntryFiles },
			to: { path: inLayers, dependencyTypesNot: ["type-only"] },
		},
		{
			name: "every-folder-is-a-layer",
			severity: "error",
			from: { path: `${source}/[^/]+/`, pathNot: inLayers },
			to: {},
		},
	],
	options: {
		tsPreCompilationDeps: true,
		exclude: { path: "(^|/)node_modules/" },
	},
};
