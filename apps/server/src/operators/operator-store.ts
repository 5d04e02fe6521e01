import { randomBytes } from "node:crypto";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext, User } from "better-auth";
import type { TenantAuthOptions } from "better-auth-tenant";
import { recordUse } from "./last-use";
import type { Role } from "./permissions";
import type { OperatorRow } from "./schema";

const MODEL = "operator";
const MAX_OPERATORS = 1000;

/** A platform user, with the field of the two-factor plugin. */
export type PlatformUser = User & { twoFactorEnabled?: boolean | null };

/** An operator, as the console and the CLI list them. */
export type Operator = {
	/** The id of the user. */
	id: string;
	email: string;
	name: string;
	role: Role;
	/** Whether a second factor is set up. */
	secondFactor: boolean;
	/** Whether the operator has not chosen a password yet. */
	pending: boolean;
	/** Named by ADMIN_USER_IDS. Only the settings can change it. */
	fromSettings: boolean;
	createdAt: Date;
	lastUsedAt: Date | null;
};

const byUser = (userId: string) => [{ field: "userId", value: userId }];
const byId = (id: string) => [{ field: "id", value: id }];

/** Whether a user of the platform is an operator. */
export const operatorCheck =
	(adminUserIds: readonly string[]): NonNullable<TenantAuthOptions["isStaff"]> =>
	async (userId, { adapter }) =>
		adminUserIds.includes(userId) ||
		(await adapter.findOne<OperatorRow>({ model: MODEL, where: byUser(userId) })) !== null;

/** All functions must run on the platform. */
export function operatorStore(context: AuthContext, adminUserIds: readonly string[]) {
	const { internalAdapter } = context;
	/** In a transaction, everything has to use its connection. */
	const database = () => getCurrentAdapter(context.adapter);

	const findRow = async (userId: string) =>
		(await database()).findOne<OperatorRow>({ model: MODEL, where: byUser(userId) });

	const findUser = async (id: string) =>
		(await database()).findOne<PlatformUser>({ model: "user", where: byId(id) });

	const list = async (): Promise<Operator[]> => {
		const db = await database();
		const sortBy = { field: "createdAt", direction: "asc" } as const;
		const rows = await db.findMany<OperatorRow>({ model: MODEL, sortBy, limit: MAX_OPERATORS });
		const ids = [...new Set([...rows.map(({ userId }) => userId), ...adminUserIds])];
		if (ids.length === 0) return [];
		const among = (field: string) => ({ field, operator: "in" as const, value: ids });
		const users = await db.findMany<PlatformUser>({
			model: "user",
			where: [among("id")],
			limit: ids.length,
		});
		const passwords = await db.findMany<{ userId: string }>({
			model: "account",
			where: [among("userId"), { field: "providerId", value: "credential" }],
			limit: ids.length,
		});
		return ids.flatMap((id) => {
			const user = users.find((one) => one.id === id);
			const row = rows.find(({ userId }) => userId === id);
			if (!user) return [];
			const fromSettings = adminUserIds.includes(id);
			const { email, name } = user;
			return {
				id,
				email,
				name,
				fromSettings,
				role: fromSettings || !row ? "owner" : row.role,
				secondFactor: user.twoFactorEnabled === true,
				pending: !passwords.some(({ userId }) => userId === id),
				createdAt: row?.createdAt ?? user.createdAt,
				lastUsedAt: row?.lastUsedAt ?? null,
			};
		});
	};

	return {
		list,
		findUser,
		findUserByEmail: async (email: string) =>
			(await database()).findOne<PlatformUser>({
				model: "user",
				where: [{ field: "email", value: email }],
			}),
		/** The role of a platform user; `null` if the user is not an operator. */
		findRole: async (userId: string, { used = false } = {}): Promise<Role | null> => {
			if (adminUserIds.includes(userId)) return "owner";
			const row = await findRow(userId);
			if (row && used) await recordUse(context, MODEL, row);
			return row?.role ?? null;
		},
		/** Not by `internalAdapter`: its hooks refuse every other new user of the platform. */
		create: async (user: Pick<User, "email" | "name">, role: Role): Promise<string> => {
			const db = await database();
			const createdAt = new Date();
			const { id } = await db.create<Omit<User, "id">, User>({
				model: "user",
				// An owner has invited the person who has the link.
				data: { ...user, emailVerified: true, createdAt, updatedAt: createdAt },
			});
			await db.create<Omit<OperatorRow, "id">>({
				model: MODEL,
				data: { userId: id, role, createdAt, lastUsedAt: null },
			});
			return id;
		},
		setRole: async (userId: string, role: Role) =>
			(await database()).update({ model: MODEL, where: byUser(userId), update: { role } }),
		remove: async (userId: string) => {
			await (await database()).deleteMany({ model: MODEL, where: byUser(userId) });
			await internalAdapter.deleteUser(userId);
		},
		/** Takes away everything to sign in with. */
		resetAccess: async (userId: string) => {
			const db = await database();
			await internalAdapter.deleteUserSessions(userId);
			await internalAdapter.deleteAccounts(userId);
			await db.deleteMany({ model: "twoFactor", where: byUser(userId) });
			await db.deleteMany({ model: "passkey", where: byUser(userId) });
			await internalAdapter.updateUser(userId, { twoFactorEnabled: false });
		},
		/**
		 * Makes other calls wait that could remove an owner too. It must be the first statement of the
		 * transaction: MySQL reads as of the first read. The rows change, because a cluster such as Galera
		 * locks rows on one node only: two calls on two nodes collide if both change a row.
		 */
		lockOwners: async () => {
			const where = [{ field: "role", value: "owner" }];
			const update = { lockedAt: new Date() };
			await (await database()).updateMany({ model: MODEL, where, update });
		},
		/** Stores the token of a link that sets a password: the one that a password reset has. */
		createPasswordToken: async (userId: string, expiresAt: Date): Promise<string> => {
			const token = randomBytes(24).toString("base64url");
			const identifier = `reset-password:${token}`;
			await internalAdapter.createVerificationValue({ value: userId, identifier, expiresAt });
			return token;
		},
	};
}

export type OperatorStore = ReturnType<typeof operatorStore>;
