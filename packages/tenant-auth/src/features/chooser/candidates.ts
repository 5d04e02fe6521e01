import type { GenericEndpointContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { acrossTenants, requireInstance } from "../../call/context/current-state";
import { isOpen } from "../../call/context/gate";
import { findSignInProblem, findSignUpProblem } from "../../call/context/policy-check";
import { PLATFORM_ID, TENANT_MODEL, type TenantRow, tenantIdOf } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { policyIn } from "../../call/policy/tenant-policy";
import { currentAdapter } from "../../database/current-adapter";
import { findAppProvider } from "./app-provider";
import type { KeptChoice } from "./kept-values";
import type { Person } from "./person";

/** Nobody reads a longer list, and each request that asks for it must have a limit. */
export const MAX_CHOICES = 50;

export interface Candidates {
	tenants: TenantRow[];
	/** Whether there are no others. */
	isComplete: boolean;
}

type OwnedRow = { id: string; tenantId: string | null };
type Account = OwnedRow & {
	providerId: string;
	accountId: string;
	userId: string;
	authority?: string | null;
};
type TenantUser = User & OwnedRow & { disabledAt?: Date | null };

/**
 * The tenants into which somebody can sign in, who has proved to a provider of the app who they are.
 *
 * It only finds out what to offer. Core signs the person in to the tenant, by its own rules and those of the
 * tenant: a tenant that is listed by mistake admits nobody.
 *
 * @param only looks at this tenant alone
 */
export async function findCandidates(
	ctx: GenericEndpointContext,
	{ person, request }: Pick<KeptChoice, "person" | "request">,
	only?: string,
): Promise<Candidates> {
	if (only !== undefined && !isPossibleId(ctx.context.options, only)) return NONE;
	return acrossTenants(async () => {
		const members = await findMembers(ctx, person, only);
		const newcomer = await findDomainTenant(ctx, person, request.requestSignUp, only);
		const joined = newcomer && !members.known.has(newcomer.id) ? [newcomer] : [];
		const tenants = await findTenants(ctx, [...members.tenantIds]);
		const open = [...tenants, ...joined].filter((tenant) => isOpenFor(tenant, person.providerId));
		const fitting = await withoutOwnClients(ctx, open, person.providerId);
		fitting.sort((a, b) => a.name.localeCompare(b.name) || a.slug.localeCompare(b.slug));
		return {
			tenants: fitting.slice(0, MAX_CHOICES),
			isComplete: members.isComplete && fitting.length <= MAX_CHOICES,
		};
	});
}

const NONE: Candidates = { tenants: [], isComplete: true };

/** The tenants with a user whom the person is. */
async function findMembers(ctx: GenericEndpointContext, person: Person, only?: string) {
	const accounts = await findAccounts(ctx, person, only);
	const byEmail = person.emailVerified
		? await findRows<TenantUser>(ctx, "user", { email: person.email }, only)
		: [];
	const owners = await findByIds<TenantUser>(
		ctx,
		"user",
		accounts.map(({ userId }) => userId),
	);
	const linked = owners.filter((user) =>
		accounts.some(({ userId, tenantId }) => userId === user.id && tenantId === user.tenantId),
	);
	const hasAccount = new Set(linked.map(tenantIdOf));
	// Core prefers the account. The user with the email is somebody else then, or the same.
	const linkable = byEmail.filter(
		(user) => !hasAccount.has(tenantIdOf(user)) && mayLink(ctx, user),
	);
	const enabled = [...linked, ...linkable].filter(({ disabledAt }) => !disabledAt);
	return {
		tenantIds: new Set(enabled.map(tenantIdOf)),
		/** Where core finds a user, whether it signs them in or not. */
		known: new Set([...accounts, ...byEmail].map(tenantIdOf)),
		isComplete: accounts.length <= MAX_CHOICES && byEmail.length <= MAX_CHOICES,
	};
}

/** Accounts of other servers have the same ids. They belong to other people. */
async function findAccounts(ctx: GenericEndpointContext, person: Person, only?: string) {
	const { accountId, providerId, authority } = person;
	const rows = await findRows<Account>(ctx, "account", { accountId, providerId }, only);
	return rows.filter((row) => (row.authority ?? "") === authority);
}

/**
 * Whether core would link the account to a user whose email the provider has verified, so that no tenant is
 * offered at which the sign-in would fail. Core decides.
 */
function mayLink({ context }: GenericEndpointContext, { emailVerified }: TenantUser): boolean {
	const linking = context.options.account?.accountLinking;
	if (linking?.enabled === false || linking?.disableImplicitLinking === true) return false;
	return emailVerified || linking?.requireLocalEmailVerified === false;
}

/**
 * The tenant that owns the domain of the email, if it would admit a new user. Only a verified email says
 * anything about its domain.
 */
async function findDomainTenant(
	ctx: GenericEndpointContext,
	{ email, emailVerified, providerId }: Person,
	requestSignUp: boolean | undefined,
	only: string | undefined,
): Promise<TenantRow | null> {
	const provider = emailVerified ? await findAppProvider(ctx, providerId) : null;
	if (!provider || provider.options?.disableSignUp) return null;
	if (provider.disableImplicitSignUp && !requestSignUp) return null;
	const domain = email.slice(email.lastIndexOf("@") + 1);
	for (const find of requireInstance(ctx.context).features.emailDomainOwners) {
		const tenant = (await find(ctx.context, domain)) as TenantRow | null;
		if (!tenant || (only !== undefined && tenant.id !== only)) continue;
		if (findSignUpProblem(policyIn(tenant), { email, invited: false })) continue;
		// The list of users may have been cut before it came to this tenant.
		const [user] = await findRows<TenantUser>(ctx, "user", { email }, tenant.id);
		if (!user) return tenant;
	}
	return null;
}

const findTenants = (ctx: GenericEndpointContext, ids: string[]) =>
	findByIds<TenantRow>(ctx, TENANT_MODEL, ids);

/** Whether the tenant is open, and its policy allows a sign-in with the app's client of this provider. */
function isOpenFor(tenant: TenantRow, providerId: string): boolean {
	if (!isOpen(tenant)) return false;
	const policy = policyIn(tenant);
	if (!policy.signIn.fallbackToGlobal) return false;
	return findSignInProblem(policy, { source: "social", providerId }) === null;
}

/**
 * Without the tenants that have an own client at this provider. Their users sign in with it, and what the
 * provider told the app's client must not be used in its place.
 */
async function withoutOwnClients(
	{ context }: GenericEndpointContext,
	tenants: TenantRow[],
	providerId: string,
): Promise<TenantRow[]> {
	if (tenants.length === 0) return [];
	const rows = await currentAdapter(context.adapter).findMany<{ tenantId: string }>({
		model: "tenantOauthConfig",
		where: [
			{ field: "tenantId", operator: "in", value: tenants.map(({ id }) => id) },
			{ field: "providerId", value: providerId },
			{ field: "enabled", value: true },
		],
		limit: tenants.length,
	});
	const withOwn = new Set(rows.map(({ tenantId }) => tenantId));
	return tenants.filter(({ id }) => !withOwn.has(id));
}

/** Rows of tenants with exactly these values: one more than are used, so that a cut is noticed. */
async function findRows<Row extends OwnedRow>(
	{ context }: GenericEndpointContext,
	model: string,
	values: Readonly<Record<string, string>>,
	only: string | undefined,
): Promise<Row[]> {
	const wanted = Object.entries(only === undefined ? values : { tenantId: only, ...values });
	const where: Where[] = wanted.map(([field, value]) => ({ field, value }));
	const rows = await currentAdapter(context.adapter).findMany<Row>({
		model,
		where,
		limit: MAX_CHOICES + 1,
	});
	// MySQL ignores case and trailing spaces. A row of no tenant belongs to the platform, which nobody enters.
	return rows.filter(
		(row) =>
			tenantIdOf(row) !== PLATFORM_ID &&
			wanted.every(([field, value]) => (row as Record<string, unknown>)[field] === value),
	);
}

async function findByIds<Row extends { id: string }>(
	{ context }: GenericEndpointContext,
	model: string,
	ids: string[],
): Promise<Row[]> {
	const wanted = [...new Set(ids)];
	if (wanted.length === 0) return [];
	return currentAdapter(context.adapter).findMany<Row>({
		model,
		where: [{ field: "id", operator: "in", value: wanted }],
		limit: wanted.length,
	});
}
