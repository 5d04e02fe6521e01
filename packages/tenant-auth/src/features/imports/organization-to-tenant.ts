import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { safeJSONParse } from "@better-auth/core/utils/json";
import { type AnyAuth, requireInstance } from "../../call/context/current-state";
import type { TenantScope } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { jsonBytes } from "../../database/json-object";
import type { Row } from "../../isolation/raw-adapter";
import { idOf } from "../../isolation/row-owners";
import { storedRole } from "../../management/access/roles";
import { recordAuditEvent } from "../../management/audit/audit-store";
import { metadataSchema, type TenantMetadata } from "../../management/tenants/tenant";
import { findBrandingProblem } from "../../rules";
import { findAdminConflict } from "./admins";
import { conflict, type MoveConflict } from "./conflicts";
import { copyUser } from "./copy-user";
import { createTenantIn } from "./create-tenant";
import { importError } from "./import-error";
import { finishMove, type MoveReport, type Moving, moveInTransaction, toReport } from "./move";
import {
	leaveOrganization,
	type Organization,
	readOrganization,
	replaceMember,
} from "./organization-members";
import type { Reading } from "./owned-rows";
import { requireNoConflicts, runMove } from "./transaction";

export interface OrganizationToTenantOptions {
	/** An organization of the platform. */
	organizationId: string;
	/** What the tenant gets. Name and slug are the organization's by default. */
	tenant?: { id?: string; name?: string; slug?: string };
	/**
	 * What happens to members who are also in other organizations:
	 *
	 * - `refuse`: the call is refused and lists them.
	 * - `copy`: they stay on the platform, and get a second user in the tenant, with the same email,
	 *   password, social accounts and second factor. From then on both are independent.
	 * - `skip`: they stay on the platform and leave this organization.
	 *
	 * @default "refuse"
	 */
	inSeveral?: "refuse" | "copy" | "skip";
	/**
	 * Reports what would happen, and changes nothing.
	 *
	 * @default false
	 */
	dryRun?: boolean;
}

/** A member of the organization, and what happens to them. */
export interface MovedMember {
	userId: string;
	/** The role in the organization. */
	role: string;
	/** The role in the tenant. */
	tenantRole: TenantRole;
	outcome: "move" | "refuse" | "copy" | "skip";
	/** The other organizations. */
	alsoIn: string[];
}

type TenantRole = "owner" | "admin" | "member";

export interface OrganizationToTenantReport extends MoveReport {
	tenant: {
		/** `null` in a dry run. */
		id: string | null;
		name: string;
		slug: string;
		metadata: TenantMetadata;
	};
	members: MovedMember[];
	/** Invitations that nobody has accepted yet. They move with the organization. */
	pendingInvitations: { id: string; email: string; role: string | null; expiresAt: Date }[];
}

/**
 * Turns an organization of Better Auth's organization plugin into a tenant. Its members become the
 * tenant's users, with everything that belongs to them: see `POST /tenant/user/move`. The organization
 * moves too, with its teams, roles and invitations, so code that reads it works in the tenant as before.
 *
 * Everything happens in one transaction, or nothing.
 *
 * @throws APIError `MOVE_REFUSED`, `ORGANIZATION_NOT_FOUND`, `TENANT_ALREADY_EXISTS`, …
 * @example
 * ```ts
 * const report = await organizationToTenant(auth, { organizationId, dryRun: true });
 * ```
 */
export async function organizationToTenant(
	auth: AnyAuth,
	{ organizationId, tenant, inSeveral = "refuse", dryRun = false }: OrganizationToTenantOptions,
): Promise<OrganizationToTenantReport> {
	const context = (await auth.$context) as AuthContext;
	const { options, features } = requireInstance(context);
	if (!features.actions.has("user:move")) {
		throw new BetterAuthError("organizationToTenant() needs the plugin tenantImports()");
	}
	if (!context.tables.organization) {
		throw new BetterAuthError(
			"organizationToTenant() needs Better Auth's plugin organization(): this app has no organizations",
		);
	}
	if (!isPossibleId(context.options, organizationId)) {
		throw importError("ORGANIZATION_NOT_FOUND");
	}
	const moving: Moving = {
		context,
		options,
		record: (entry) => recordAuditEvent({ context }, entry, { kind: "server", id: null }),
	};
	const work = async (reading: Reading) => {
		const organization = await readOrganization(reading, organizationId);
		const created = await createTenantOf(moving, organization, tenant ?? {});
		const plan = planMembers(organization, inSeveral);
		const { row } = organization;
		const settled = await settleOthers(moving, reading, created.scope, plan, row);
		const { conflicts, newUserIds } = settled;
		const moved = await moveInTransaction(moving, reading, {
			scope: created.scope,
			userIds: plan.flatMap(({ userId, outcome }) => (outcome === "move" ? [userId] : [])),
			organization: row,
			newUserIds,
			roleOf: (userId) =>
				storedRole(plan.find((member) => member.userId === userId)?.tenantRole) ?? null,
		});
		// Those who are in several are a conflict of their own, and not also as owners of their rows.
		const rest = moved.conflicts.filter(
			({ code, userId }) => code !== "SHARED_ROW" || !conflicts.some((it) => it.userId === userId),
		);
		return { ...moved, conflicts: [...conflicts, ...rest], created, organization, plan };
	};
	const done = await runMove(context, dryRun, work);
	if (!dryRun) requireNoConflicts(done.conflicts);
	const { scope, ...created } = done.created;
	if (!dryRun) await finishMove(context, scope, done.rows);
	return {
		...toReport(done, dryRun),
		tenant: { ...created, id: dryRun ? null : scope.tenantId },
		members: done.plan,
		pendingInvitations: pendingOf(done.organization.invitations),
	};
}

/** Creates the tenant in the current transaction. */
async function createTenantOf(
	moving: Moving,
	{ row }: Organization,
	{ id, name, slug }: NonNullable<OrganizationToTenantOptions["tenant"]>,
) {
	const metadata = metadataOf(row, moving.options.maxMetadataBytes);
	const created = await createTenantIn(moving, {
		id,
		name: name ?? row.name,
		slug: slug ?? row.slug,
		metadata,
		origin: { organizationId: idOf(row) },
	});
	return { ...created, metadata };
}

/**
 * The organization's metadata is below `organization`: its owners could write it, and your app may trust
 * what the tenant's metadata says. The organization keeps it too.
 */
function metadataOf(row: Row, maxBytes: number): TenantMetadata {
	const { logo } = row;
	const branding = findBrandingProblem("logoUrl", logo) ? {} : { branding: { logoUrl: logo } };
	const stored = typeof row.metadata === "string" ? safeJSONParse(row.metadata) : row.metadata;
	const { data: own } = metadataSchema.safeParse(stored);
	const complete = { ...branding, organization: { id: idOf(row), ...(own && { metadata: own }) } };
	if (jsonBytes(complete) <= maxBytes) return complete;
	return { ...branding, organization: { id: idOf(row) } };
}

function planMembers(
	{ members, others }: Organization,
	inSeveral: "refuse" | "copy" | "skip",
): MovedMember[] {
	return members.map(({ userId, role }) => ({
		userId,
		role,
		tenantRole: tenantRoleOf(role),
		outcome: others.has(userId) ? inSeveral : "move",
		alsoIn: others.get(userId) ?? [],
	}));
}

/** The organization plugin stores several roles as one text, separated by commas. */
function tenantRoleOf(role: string): TenantRole {
	const roles = role.split(",").map((one) => one.trim());
	if (roles.includes("owner")) return "owner";
	return roles.includes("admin") ? "admin" : "member";
}

/** Copies or skips those who are in several organizations, or says that they are. */
async function settleOthers(
	{ context, options, record }: Moving,
	reading: Reading,
	scope: TenantScope,
	plan: readonly MovedMember[],
	organization: Row,
): Promise<{ conflicts: MoveConflict[]; newUserIds: string[] }> {
	const conflicts: MoveConflict[] = [];
	const newUserIds: string[] = [];
	for (const member of plan.filter(({ outcome }) => outcome !== "move")) {
		const { userId, outcome, alsoIn } = member;
		if (outcome === "refuse") {
			const message = `The user is also in ${alsoIn.length} other organization(s)`;
			conflicts.push(conflict("IN_SEVERAL_ORGANIZATIONS", message, { userId }));
		} else if (outcome === "skip") await leaveOrganization(reading, idOf(organization), userId);
		else {
			const where = [{ field: "id", value: userId }];
			const user = await reading.raw.findOne<Row>({ model: "user", where });
			if (!user) continue;
			const admin = await findAdminConflict(user, context, options, reading.raw);
			if (admin) conflicts.push(admin);
			const newId = await copyUser(reading, scope, user, storedRole(member.tenantRole));
			await replaceMember(reading, idOf(organization), userId, newId);
			newUserIds.push(newId);
			const { tenantId } = scope;
			const detail = { copyOf: userId };
			await record({ action: "user:move", tenantId, targetId: newId, detail });
		}
	}
	return { conflicts, newUserIds };
}

const pendingOf = (invitations: readonly Row[]) =>
	invitations
		.filter(({ status }) => status === "pending")
		.map((row) => ({
			id: idOf(row),
			email: String(row.email),
			role: typeof row.role === "string" ? row.role : null,
			expiresAt: row.expiresAt instanceof Date ? row.expiresAt : new Date(String(row.expiresAt)),
		}));
