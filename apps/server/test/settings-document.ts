/**
 * The settings in docs/service-settings.md, generated from their schema. To update the page, run
 * `npm run docs --workspace=better-auth-tenant-server`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { providerClients } from "../src/settings/providers";
import { variables } from "../src/settings/variables";

const START = "<!-- The settings are generated from apps/server/src/settings. -->";
const END = "<!-- End of the generated settings. -->";

/** Replaces the settings in the text of the page. */
export function documentSettings(page: string): string {
	const [before, rest = ""] = page.split(START);
	const [, after] = rest.split(END);
	if (after === undefined)
		throw new Error(`The page of settings needs the lines ${START} and ${END}`);
	const sections = Object.entries(variables).flatMap(([heading, group]) => [
		`## ${heading}`,
		...(heading === "Providers" ? describeProviders() : []),
		table(
			["variable", "default", "meaning"],
			Object.entries(group).map(([name, schema]) => [
				`\`${name}\``,
				defaultOf(schema),
				String(schema.meta()?.description),
			]),
		),
	]);
	return [before, START, "\n\n", sections.join("\n\n"), "\n\n", END, after].join("");
}

function defaultOf(schema: z.ZodType): string {
	const text = schema.meta()?.default;
	if (typeof text === "string") return text;
	return schema instanceof z.ZodPrefault ? `\`${schema.def.defaultValue}\`` : "none";
}

function describeProviders(): string[] {
	const clients = providerClients.map(
		({ clientId, clientSecret }) => `\`${clientId.variable}\`, \`${clientSecret.variable}\``,
	);
	const options = providerClients.flatMap(({ id, options }) =>
		options.map(({ variable, option, schema, isRequired }) => {
			const format = isRequired ? "required" : schema.meta()?.description;
			return [`\`${variable}\``, `${id}: \`${option}\`${format ? `; ${format}` : ""}`];
		}),
	);
	return [
		"The host providers: tenants without an OAuth config of their own use these OAuth clients. Set `ID_CLIENT_ID` and `ID_CLIENT_SECRET` together, where `ID` is the name of the provider in capitals.",
		"<details><summary>All of them</summary>",
		clients.join(" · "),
		"</details>",
		"The secret is optional for Cloudflare, Cognito and Microsoft. Some providers have more options:",
		table(["variable", "meaning"], options),
		"For all providers:",
	];
}

function table(headings: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
	return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

const path = fileURLToPath(new URL("../../../docs/service-settings.md", import.meta.url));

export const readSettingsPage = () => readFileSync(path, "utf8");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	writeFileSync(path, documentSettings(readSettingsPage()));
}
