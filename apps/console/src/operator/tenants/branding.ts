import type { Metadata } from "./metadata-text";

/** What a tenant's own pages show, kept in its metadata under `branding`. */
export interface Branding {
	logoUrl: string;
	primaryColor: string;
	tagline: string;
	supportEmail: string;
}

type BrandingProblems = Partial<Record<keyof Branding, string>>;

const NONE: Branding = { logoUrl: "", primaryColor: "", tagline: "", supportEmail: "" };
const FIELDS = Object.keys(NONE) as (keyof Branding)[];

export function brandingOf(metadata: Metadata | null): Branding {
	const stored = (metadata?.branding ?? {}) as Partial<Record<string, unknown>>;
	const text = (value: unknown) => (typeof value === "string" ? value : "");
	return Object.fromEntries(
		FIELDS.map((name) => [name, text(stored[name])]),
	) as unknown as Branding;
}

/** The metadata with this branding: what else stands there stays. */
export function withBranding(metadata: Metadata | null, branding: Branding): Metadata {
	const { branding: stored, ...rest } = metadata ?? {};
	const others = Object.entries((stored ?? {}) as Metadata).filter(
		([name]) => !FIELDS.includes(name as keyof Branding),
	);
	const given = FIELDS.filter((name) => branding[name].trim() !== "");
	const next = { ...Object.fromEntries(others), ...pick(branding, given) };
	return Object.keys(next).length > 0 ? { ...rest, branding: next } : rest;
}

const pick = (branding: Branding, names: (keyof Branding)[]) =>
	Object.fromEntries(names.map((name) => [name, branding[name].trim()]));

/** The service shows no field that is not valid, so a mistake must not be kept in silence. */
export function findBrandingProblems({ logoUrl, primaryColor, supportEmail, tagline }: Branding) {
	const problems: BrandingProblems = {};
	if (logoUrl.trim() && !/^https:\/\/[^\s/]/.test(logoUrl.trim())) {
		problems.logoUrl = "An address that begins with https://.";
	}
	if (primaryColor.trim() && !/^#[\da-f]{6}$/i.test(primaryColor.trim())) {
		problems.primaryColor = "Six hexadecimal digits after a #, such as #2456e6.";
	}
	if (supportEmail.trim() && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(supportEmail.trim())) {
		problems.supportEmail = "An e-mail address.";
	}
	if (tagline.trim().length > 200) problems.tagline = "At most 200 characters.";
	return problems;
}
