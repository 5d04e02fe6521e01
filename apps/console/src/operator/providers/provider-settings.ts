import { type ProviderSetting, settingsOfProvider } from "better-auth-tenant/providers";

/** The values of a form: every setting is a string, and an enabled flag is `"true"`. */
export type SettingValues = Record<string, string>;

export function toSettingValues(options: Record<string, unknown> | null): SettingValues {
	return Object.fromEntries(
		Object.entries(options ?? {}).map(([name, value]) => [name, toText(value)]),
	);
}

function toText(value: unknown): string {
	if (Array.isArray(value)) return value.join(" ");
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The settings as the endpoint takes them. Empty ones are left out. */
export function fromSettingValues(
	providerId: string,
	values: SettingValues,
): Record<string, unknown> {
	return Object.fromEntries(
		settingsOfProvider(providerId).flatMap(({ name, kind }) => {
			const value = values[name]?.trim();
			return value ? [[name, PARSERS[kind](value)]] : [];
		}),
	);
}

const PARSERS: Record<ProviderSetting["kind"], (value: string) => unknown> = {
	text: (value) => value,
	url: (value) => value,
	host: (value) => value,
	choice: (value) => value,
	texts: (value) => value.split(/\s+/),
	number: Number,
	flag: (value) => value === "true",
	map: parseMap,
};

/** The server rejects what is not an object. */
function parseMap(value: string): unknown {
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

/** Settings that say where the provider is and who may sign in. The form hides the others. */
export const isCommonSetting = ({ kind, required }: ProviderSetting): boolean =>
	["text", "url", "host"].includes(kind) || required === true;

export function hintOf({ hint, kind, default: usual }: ProviderSetting): string {
	return [
		hint,
		kind === "texts" && "Separate values with spaces.",
		kind === "map" && "As a JSON object.",
		usual && `Default: ${usual}.`,
	]
		.filter(Boolean)
		.join(" ");
}
