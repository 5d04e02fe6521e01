import * as z from "zod";
import { SIGN_IN_METHODS, type SignInMethod } from "../foreign/sign-in-methods";

const YEAR = 365 * 24 * 60 * 60;
const MAX_LIST = 100;

/** A host name in lower case and in ASCII, without a dot at the end. */
const domain = z
	.string()
	.trim()
	.max(253)
	.transform((text, issue) => {
		const name = toAscii(text);
		if (name !== null) return name;
		issue.addIssue({ code: "custom", message: "An email domain looks like example.com" });
		return z.NEVER;
	});

function toAscii(text: string): string | null {
	if (!/^[^\s/:@?#[\]\\%*]+$/.test(text)) return null;
	const url = `http://${text.replace(/\.$/, "")}`;
	const name = URL.canParse(url) ? new URL(url).hostname : "";
	return /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/.test(name) ? name : null;
}

const unique = <T>(values: T[]): T[] => [...new Set(values)];

const signUp = z.strictObject({
	mode: z
		.enum(["open", "invite", "closed"])
		.meta({ description: "Who may sign up: everybody, people with an invitation, or nobody" }),
	emailDomains: z
		.array(domain)
		.min(1)
		.max(MAX_LIST)
		.transform(unique)
		.nullable()
		.meta({ description: "The domains that the email of a new user may have; null for all" }),
});

const signIn = z.strictObject({
	methods: z
		.array(z.enum(SIGN_IN_METHODS))
		.transform(unique<SignInMethod>)
		.nullable()
		.meta({ description: "How users may sign in; null for all methods" }),
	providers: z
		.array(z.string().min(1).max(128))
		.max(MAX_LIST)
		.transform(unique)
		.nullable()
		.meta({ description: "The social providers that users may use; null for all" }),
	fallbackToGlobal: z.boolean().meta({
		description: "Whether users may use the app's social providers if the tenant has none",
	}),
});

const password = z.strictObject({
	minLength: z
		.int()
		.min(1)
		.max(128)
		.nullable()
		.meta({ description: "The shortest new password; null for the app's rule" }),
	rejectBreached: z
		.boolean()
		.meta({ description: "Whether new passwords must not be in a known breach" }),
});

const session = z.strictObject({
	lifetime: z.int().min(60).max(YEAR).nullable().meta({
		description: "Seconds after which a session ends, used or not; null for the app's rule",
	}),
	idleTime: z
		.int()
		.min(60)
		.max(YEAR)
		.nullable()
		.meta({ description: "Seconds without a request after which a session ends; null for never" }),
});

const secondFactor = z.strictObject({
	required: z.boolean().meta({
		description: "Whether users need a second factor; one who has none may only set it up",
	}),
});

const sections = { signUp, signIn, password, session, secondFactor };

export const policySchema = z.strictObject(sections);

/** What a tenant decides about its users. */
export type TenantPolicy = z.output<typeof policySchema>;

/** A change: missing sections and fields stay as they are. */
export const policyChangesSchema = z.strictObject({
	signUp: signUp.partial().meta({ description: "Who may sign up" }).optional(),
	signIn: signIn.partial().meta({ description: "How users may sign in" }).optional(),
	password: password.partial().meta({ description: "Rules for new passwords" }).optional(),
	session: session.partial().meta({ description: "How long sessions last" }).optional(),
	secondFactor: secondFactor.partial().meta({ description: "Second factors" }).optional(),
});

export type PolicyChanges = z.output<typeof policyChangesSchema>;

/** It changes nothing. */
export const DEFAULT_POLICY: TenantPolicy = {
	signUp: { mode: "open", emailDomains: null },
	signIn: { methods: null, providers: null, fallbackToGlobal: true },
	password: { minLength: null, rejectBreached: false },
	session: { lifetime: null, idleTime: null },
	secondFactor: { required: false },
};

export function changePolicy(policy: TenantPolicy, changes: PolicyChanges): TenantPolicy {
	const names = Object.keys(policy) as (keyof TenantPolicy)[];
	const changed = names.map((name) => [name, { ...policy[name], ...changes[name] }]);
	return policySchema.parse(Object.fromEntries(changed));
}

/** Policies by their stored text. A tenant's row is read in every request. */
const parsed = new Map<string, TenantPolicy>();
const MAX_PARSED = 1000;

/**
 * The policy of a tenant's row. A stored policy that cannot be read is an error: without its rules, more
 * people could get in.
 */
export function policyIn({ policy: text }: { policy: string | null }): TenantPolicy {
	if (!text) return DEFAULT_POLICY;
	const known = parsed.get(text);
	if (known) return known;
	const policy = changePolicy(DEFAULT_POLICY, policyChangesSchema.parse(JSON.parse(text)));
	if (parsed.size >= MAX_PARSED) parsed.clear();
	parsed.set(text, policy);
	return policy;
}

/** As the database stores it. */
export function storedPolicy(policy: TenantPolicy): string | null {
	const text = JSON.stringify(policy);
	return text === JSON.stringify(DEFAULT_POLICY) ? null : text;
}
