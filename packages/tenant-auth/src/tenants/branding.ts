import * as z from "zod";
import type { TenantMetadata } from "./tenant";

/** What a tenant may show of itself before anybody has signed in. */
export interface Branding {
	logoUrl?: string | undefined;
	primaryColor?: string | undefined;
	tagline?: string | undefined;
	supportEmail?: string | undefined;
}

const text = z.string().trim().min(1).max(200);

/** One by one: a mistake in one of them does not hide the others. */
const FIELDS = {
	logoUrl: z.url({ protocol: /^https$/ }).max(2048),
	primaryColor: z.string().regex(/^#[\da-f]{6}$/i),
	tagline: text,
	supportEmail: z.email().max(254),
};

/** The public part of a tenant's metadata: what stands under `branding`, and of that the known fields. */
export function brandingOf(metadata: TenantMetadata | null): Branding {
	const branding = metadata?.branding;
	if (typeof branding !== "object" || branding === null) return {};
	return Object.fromEntries(
		Object.entries(FIELDS).flatMap(([name, schema]) => {
			const value = Object.hasOwn(branding, name) ? (branding as TenantMetadata)[name] : undefined;
			const { success, data } = schema.safeParse(value);
			return success ? [[name, data]] : [];
		}),
	);
}
