import { isLoopbackHost } from "@better-auth/core/utils/host";
import * as z from "zod";

/** A deployment of the service with a database of its own. */
export type Region = { name: string; url: string };

/** What a server of one region knows about all. */
export type Regions = {
	name: string;
	others: Region[];
	/** By which regions recognize each other. We send the first one, and accept all. */
	keys: string[];
};

const NAME = /^[a-z][a-z\d-]{0,31}$/;

export const regionName = z
	.string()
	.regex(NAME, "must be a short name in lowercase letters, such as eu or us-east.");

const MIN_KEY_LENGTH = 32;

export const regionKey = z
	.string()
	.regex(
		new RegExp(`^[!-~]{${MIN_KEY_LENGTH},}$`),
		`must have at least ${MIN_KEY_LENGTH} characters without spaces and commas; generate one with: openssl rand -base64 32`,
	);

/** Names and URLs, such as `eu=https://eu.example.com`. */
export const regionList = z.string().transform((text, ctx): Region[] => {
	const regions = text.split(",").map((part) => {
		const [name = "", url = ""] = part.trim().split(/=(.*)/s);
		return { name, url: originOf(url) };
	});
	const isUnique = (key: keyof Region) =>
		new Set(regions.map((it) => it[key])).size === regions.length;
	const isRight =
		regions.every(({ name, url }) => NAME.test(name) && url !== "") &&
		isUnique("name") &&
		isUnique("url");
	if (isRight && regions.length > 1) return regions;
	ctx.addIssue({
		code: "custom",
		message:
			"must list all regions with their URLs, such as eu=https://eu.example.com,us=https://us.example.com.",
	});
	return z.NEVER;
});

/** Empty if it is not the URL of a server, without a path. Without https, the key could be read. */
function originOf(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : null;
	const isSafe =
		url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
	return url && isSafe && url.href === `${url.origin}/` ? url.origin : "";
}

type Variables = {
	REGION?: string | undefined;
	REGIONS?: Region[] | undefined;
	REGION_KEY?: string[] | undefined;
	BETTER_AUTH_URL?: string | undefined;
};

/** Returns `null` without regions. */
export function readRegions({ REGION, REGIONS, REGION_KEY }: Variables): Regions | null {
	if (!REGION || !REGIONS || !REGION_KEY) return null;
	return { name: REGION, others: REGIONS.filter(({ name }) => name !== REGION), keys: REGION_KEY };
}

type Problem = { variable: "REGION" | "REGIONS" | "REGION_KEY"; message: string };

/** Returns what does not fit together. */
export function findRegionProblem(values: Variables): Problem | null {
	const { REGION, REGIONS, REGION_KEY, BETTER_AUTH_URL } = values;
	if (!REGION && !REGIONS && !REGION_KEY) return null;
	const missing = (["REGION", "REGIONS", "REGION_KEY"] as const).find((name) => !values[name]);
	if (missing) {
		return {
			variable: missing,
			message: "must be set: REGION, REGIONS and REGION_KEY belong together.",
		};
	}
	const own = REGIONS?.find(({ name }) => name === REGION);
	if (!own)
		return { variable: "REGIONS", message: `must contain "${REGION}", the name in REGION.` };
	if (own.url === BETTER_AUTH_URL) return null;
	return { variable: "REGIONS", message: `must have BETTER_AUTH_URL as the URL of "${REGION}".` };
}
