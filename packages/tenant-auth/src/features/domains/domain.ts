import * as z from "zod";
import { date, flag, text } from "../../described";

export const DOMAIN_MODEL = "tenantDomain";

/** What a domain is for: users sign in at it, or their emails end with it. */
export const DOMAIN_PURPOSES = ["login", "email"] as const;

export type DomainPurpose = (typeof DOMAIN_PURPOSES)[number];

/** A domain as the database stores it. */
export interface DomainRow {
	id: string;
	tenantId: string;
	host: string;
	purpose: DomainPurpose;
	lookupKey: string;
	token: string;
	verifiedAt: Date | null;
	checkedAt: Date | null;
	missingSince: Date | null;
	primarySince: Date | null;
	discoverable: boolean;
	createdAt: Date;
}

/** The record has a name of its own, so that it changes nothing for the host itself. */
export const RECORD_LABEL = "_better-auth-tenant";

export const recordNameOf = (host: string) => `${RECORD_LABEL}.${host}`;

export const recordValueOf = ({ token }: Pick<DomainRow, "token">) => `better-auth-tenant=${token}`;

/** By this key a verified domain is found, and by it the database knows that it is the only one. */
export const lookupKeyOf = (purpose: DomainPurpose, host: string) => `${purpose}:${host}`;

/** No key of a verified domain has this form. */
export const pendingKey = () => `pending:${crypto.randomUUID()}`;

export const domainSchema = z.object({
	id: text("Unique id"),
	tenantId: text("The tenant"),
	host: text("The host name, in lowercase and in ASCII"),
	purpose: z
		.enum(DOMAIN_PURPOSES)
		.meta({ description: "Whether users sign in at it, or have emails that end with it" }),
	state: z
		.enum(["pending", "verified"])
		.meta({ description: "Whether the tenant has proved that it owns the domain" }),
	record: z
		.object({
			type: z.literal("TXT"),
			name: text("The name of the record"),
			value: text("The text of the record"),
		})
		.meta({ description: "The DNS record that proves it; it must stay" }),
	primary: flag("Whether links in emails of the tenant lead to this host"),
	discoverable: flag("Whether /tenant/discover returns the tenant of such an email"),
	verifiedAt: z.date().nullable().meta({ description: "When it was verified" }),
	checkedAt: z.date().nullable().meta({ description: "When the record was last found" }),
	missingSince: z
		.date()
		.nullable()
		.meta({ description: "Since when the record of a verified domain cannot be found" }),
	createdAt: date("When it was added"),
});

/** A domain as callers see it. */
export type TenantDomain = z.output<typeof domainSchema>;

/** @param rows all domains of the tenant */
export function toDomains(rows: readonly DomainRow[]): TenantDomain[] {
	const primary = findPrimary(rows);
	return rows.map((row) => ({
		id: row.id,
		tenantId: row.tenantId,
		host: row.host,
		purpose: row.purpose,
		state: row.verifiedAt ? "verified" : "pending",
		record: { type: "TXT", name: recordNameOf(row.host), value: recordValueOf(row) },
		primary: row.id === primary?.id,
		discoverable: row.discoverable,
		verifiedAt: row.verifiedAt,
		checkedAt: row.checkedAt,
		missingSince: row.missingSince,
		createdAt: row.createdAt,
	}));
}

/**
 * The verified login domain that was made the primary one last, or else the oldest. Nothing has to be
 * taken from another row for it, so two calls at once cannot leave two of them.
 */
export function findPrimary(rows: readonly DomainRow[]): DomainRow | undefined {
	const at = (date: Date | null) => date?.getTime() ?? 0;
	const [first] = rows
		.filter(({ purpose, verifiedAt }) => purpose === "login" && verifiedAt)
		.sort(
			(a, b) =>
				at(b.primarySince) - at(a.primarySince) ||
				at(a.createdAt) - at(b.createdAt) ||
				a.host.localeCompare(b.host),
		);
	return first;
}
