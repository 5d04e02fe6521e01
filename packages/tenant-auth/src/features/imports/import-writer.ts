import type { Where } from "@better-auth/core/db/adapter";
import type { TenantScope } from "../../call/context/tenant";
import type { AnyAdapter, Row } from "../../isolation/raw-adapter";
import { idOf, inBatches } from "../../isolation/row-owners";
import { type findPrefix, prefixValues } from "../../isolation/tenant-prefix";
import { isActiveOwner, storedRole } from "../../management/access/roles";
import { hasOtherOwner, mayEndOwnership } from "../../management/users/owners";
import type { AccountIssuers } from "./account-issuers";
import { OWN_HASH_KIND, toStoredHash } from "./foreign-hash";
import type { ImportLine } from "./import-line";
import { type ImportResult, LineError } from "./import-result";
import { type ImportableFields, requireFields } from "./line-fields";

const MODEL = "tenantImportedUser";
const CREDENTIAL = "credential";
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** What the app and the tenant say about the users. */
interface WriterSettings {
	issuers: AccountIssuers;
	fields: ImportableFields;
	/** Of unique fields. */
	prefix: Awaited<ReturnType<typeof findPrefix>>;
	addSecondFactor: (userId: string, totpSecret: string) => Promise<void>;
}

type Done = Pick<ImportResult, "status" | "userId">;

/** As the indexes of MySQL compare. */
const keyOf = (...values: unknown[]) => JSON.stringify(values).toLowerCase();

function accountIdsByProvider(lines: readonly ImportLine[]): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const { providerId, accountId } of lines.flatMap(({ accounts = [] }) => accounts)) {
		found.set(providerId, [...(found.get(providerId) ?? []), accountId]);
	}
	return found;
}

/**
 * Writes the users of a batch in the current transaction. Everything that the tenant has of them is read
 * at once, before the first write. A line is checked completely before anything of it is written.
 */
export class ImportWriter {
	readonly #database: AnyAdapter;
	readonly #tenantId: string;
	readonly #ofTenant: readonly Where[];
	/** Ids of imported users by their external id. */
	readonly #imports = new Map<string, { externalId: string; userId: string }>();
	readonly #users = new Map<string, Row>();
	readonly #userIdByEmail = new Map<string, string>();
	/** Ids of users by a unique field and its value, such as a username. */
	readonly #holders = new Map<string, string>();
	/** Accounts by provider and account id. */
	readonly #accounts = new Map<string, Row>();
	readonly #settings: WriterSettings;
	readonly #withPassword = new Set<string>();
	/** Users whose own row was changed. */
	readonly changed: string[] = [];
	/** Those of them who were disabled. */
	readonly disabled: string[] = [];

	private constructor(database: AnyAdapter, { tenantId }: TenantScope, settings: WriterSettings) {
		this.#database = database;
		this.#settings = settings;
		this.#tenantId = tenantId;
		this.#ofTenant = [{ field: "tenantId", value: tenantId }];
	}

	static async open(
		database: AnyAdapter,
		scope: TenantScope,
		lines: readonly ImportLine[],
		settings: WriterSettings,
	): Promise<ImportWriter> {
		const writer = new ImportWriter(database, scope, settings);
		await writer.#read(lines);
		return writer;
	}

	async #read(lines: readonly ImportLine[]): Promise<void> {
		const externalIds = lines.map(({ externalId }) => externalId);
		for (const row of await this.#find(MODEL, "externalId", externalIds)) {
			const externalId = String(row.externalId);
			this.#imports.set(keyOf(externalId), { externalId, userId: String(row.userId) });
		}
		const userIds = [...this.#imports.values()].map(({ userId }) => userId);
		const emails = lines.map(({ email }) => email);
		const users = [
			...(await this.#find("user", "id", userIds, [])),
			...(await this.#find("user", "email", emails)),
		];
		for (const field of this.#settings.prefix?.fields ?? []) {
			const values = lines.flatMap((line) => {
				const value = prefixValues(this.#settings.prefix, line.fields ?? {})[field];
				return typeof value === "string" ? value : [];
			});
			users.push(...(await this.#find("user", field, values, [])));
		}
		for (const user of users) this.#remember(user);
		const accounts = await this.#find("account", "userId", userIds, []);
		for (const [providerId, accountIds] of accountIdsByProvider(lines)) {
			const ofProvider = [...this.#ofTenant, { field: "providerId", value: providerId }];
			accounts.push(...(await this.#find("account", "accountId", accountIds, ofProvider)));
		}
		for (const account of accounts) {
			const { providerId, accountId, userId } = account;
			this.#accounts.set(keyOf(providerId, accountId), account);
			if (providerId === CREDENTIAL) this.#withPassword.add(String(userId));
		}
	}

	/**
	 * `conditions` and the field must be the first columns of one index, and nothing else. Otherwise each
	 * batch may read all rows of the tenant: SQLite prefers one tenant to many ids.
	 */
	async #find(
		model: string,
		field: string,
		values: readonly string[],
		conditions: readonly Where[] = this.#ofTenant,
	): Promise<Row[]> {
		const found: Row[] = [];
		for (const batch of inBatches([...new Set(values)])) {
			const where: Where[] = [...conditions, { field, operator: "in", value: batch }];
			found.push(...(await this.#database.findMany<Row>({ model, where, limit: NO_LIMIT })));
		}
		return found.filter(({ tenantId }) => tenantId === this.#tenantId);
	}

	#remember(user: Row): void {
		this.#users.set(idOf(user), user);
		this.#userIdByEmail.set(keyOf(user.email), idOf(user));
		for (const key of this.#uniqueKeysOf(user)) this.#holders.set(key, idOf(user));
	}

	#uniqueKeysOf(values: Row): string[] {
		const fields = this.#settings.prefix?.fields ?? [];
		return fields.flatMap((field) =>
			typeof values[field] === "string" ? keyOf(field, values[field]) : [],
		);
	}

	/** @throws LineError before anything is written */
	async write(line: ImportLine): Promise<Done> {
		const known = this.#findKnown(line.externalId);
		this.#requireFree(line, known && idOf(known));
		if (known) return this.#update(known, line);
		requireFields(line.fields, this.#settings.fields);
		return { status: "created", userId: await this.#create(line) };
	}

	#findKnown(externalId: string): Row | null {
		const found = this.#imports.get(keyOf(externalId));
		if (!found) return null;
		if (found.externalId !== externalId) {
			const message = "The database takes this externalId for that of another user";
			throw new LineError("EXTERNAL_ID_TAKEN", message);
		}
		return this.#users.get(found.userId) ?? null;
	}

	/**
	 * A user who has signed up with the email is not taken over: anybody may have signed up with it,
	 * before its owner was imported.
	 */
	#requireFree({ email, accounts = [], fields = {} }: ImportLine, userId: string | null): void {
		const holder = this.#userIdByEmail.get(keyOf(email));
		if (holder !== undefined && holder !== userId) {
			throw new LineError("EMAIL_TAKEN", "Another user of the tenant has this email");
		}
		for (const [field, value] of Object.entries(fields)) {
			const owner = this.#holders.get(keyOf(field, value));
			if (owner === undefined || owner === userId) continue;
			throw new LineError("VALUE_TAKEN", `Another user of the tenant has this ${field}`);
		}
		for (const { providerId, accountId } of accounts) {
			if (!this.#settings.issuers.has(providerId)) {
				const message = `The tenant has no provider ${JSON.stringify(providerId)}. Register it first`;
				throw new LineError("PROVIDER_NOT_FOUND", message);
			}
			const owner = this.#accounts.get(keyOf(providerId, accountId))?.userId;
			if (owner === undefined || owner === userId) continue;
			const message = `Another user of the tenant has this account of ${providerId}`;
			throw new LineError("ACCOUNT_TAKEN", message);
		}
	}

	async #create(line: ImportLine): Promise<string> {
		const { externalId, email, name = "", emailVerified = false, image = null } = line;
		const now = new Date();
		const user = await this.#database.create<Row, Row>({
			model: "user",
			data: {
				...prefixValues(this.#settings.prefix, line.fields ?? {}),
				...{ email, name, emailVerified, image },
				tenantId: this.#tenantId,
				tenantRole: storedRole(line.role) ?? null,
				disabledAt: line.disabled ? now : null,
				...(line.totpSecret !== undefined && { twoFactorEnabled: true }),
				createdAt: line.createdAt ? new Date(line.createdAt) : now,
				updatedAt: now,
			},
		});
		const userId = idOf(user);
		this.#remember(user);
		await this.#addAccounts(userId, line);
		if (line.totpSecret !== undefined) {
			await this.#settings.addSecondFactor(userId, line.totpSecret);
		}
		// A user who was deleted may have left it, if the database has no foreign keys.
		if (this.#imports.has(keyOf(externalId))) await this.#forgetImport(externalId);
		const data = { tenantId: this.#tenantId, externalId, userId };
		await this.#database.create<Row, Row>({ model: MODEL, data });
		this.#imports.set(keyOf(externalId), { externalId, userId });
		return userId;
	}

	async #forgetImport(externalId: string): Promise<void> {
		const where = [
			{ field: "tenantId", value: this.#tenantId },
			{ field: "externalId", value: externalId },
		];
		await this.#database.deleteMany({ model: MODEL, where });
	}

	async #update(user: Row, line: ImportLine): Promise<Done> {
		const userId = idOf(user);
		const changes = changesOf(user, line);
		const hasChanges = Object.keys(changes).length > 0;
		if (hasChanges) {
			await this.#requireOtherOwner(user, changes);
			const update = { ...changes, updatedAt: new Date() };
			const where = [{ field: "id", value: userId }];
			const stored = prefixValues(this.#settings.prefix, update);
			await this.#database.updateMany({ model: "user", where, update: stored });
			this.#userIdByEmail.delete(keyOf(user.email));
			for (const key of this.#uniqueKeysOf(user)) this.#holders.delete(key);
			this.#remember({ ...user, ...update });
			this.changed.push(userId);
			if (changes.disabledAt) this.disabled.push(userId);
		}
		const added = await this.#addAccounts(userId, line);
		return { status: hasChanges || added > 0 ? "updated" : "unchanged", userId };
	}

	/** The tenant's row is locked, so nobody else removes an owner meanwhile. */
	async #requireOtherOwner(user: Row, changes: Row): Promise<void> {
		if (!mayEndOwnership(changes) || !isActiveOwner(user)) return;
		if (await hasOtherOwner(this.#database, this.#tenantId, idOf(user))) return;
		throw new LineError("LAST_OWNER", "This is the last owner of the tenant");
	}

	/** Adds what is missing. A password is never replaced: the user may have changed it since. */
	async #addAccounts(userId: string, { password, accounts = [] }: ImportLine): Promise<number> {
		let added = 0;
		for (const { providerId, accountId } of accounts) {
			const authority = this.#settings.issuers.get(providerId) || null;
			const known = this.#accounts.get(keyOf(providerId, accountId));
			if (!known) await this.#addAccount(userId, { providerId, accountId, authority });
			else if (!lacksIssuer(known, authority)) continue;
			else await this.#setIssuer(known, authority);
			added += 1;
		}
		if (!password || this.#withPassword.has(userId)) return added;
		const { kind, hash } = password;
		const stored = kind === OWN_HASH_KIND ? hash : toStoredHash({ kind, userId, hash });
		const own = { providerId: CREDENTIAL, accountId: userId, password: stored };
		await this.#addAccount(userId, own);
		this.#withPassword.add(userId);
		return added + 1;
	}

	async #addAccount(
		userId: string,
		account: Row & { providerId: string; accountId: string },
	): Promise<void> {
		const now = new Date();
		const data = { ...account, userId, tenantId: this.#tenantId, createdAt: now, updatedAt: now };
		const created = await this.#database.create<Row, Row>({ model: "account", data });
		this.#accounts.set(keyOf(account.providerId, account.accountId), created);
	}

	async #setIssuer(account: Row, authority: string | null): Promise<void> {
		const where = [{ field: "id", value: idOf(account) }];
		await this.#database.updateMany({ model: "account", where, update: { authority } });
		account.authority = authority;
	}
}

/** Earlier versions imported accounts without their issuer, so that nobody could sign in with them. */
const lacksIssuer = ({ authority, oauthClient }: Row, issuer: string | null) =>
	issuer !== null && !authority && !oauthClient;

/** Fields of the app may be dates and lists. */
const isSame = (one: unknown, other: unknown) =>
	one === other || JSON.stringify(one) === JSON.stringify(other);

/** What a line changes. A field that it does not have stays as it is. */
function changesOf(user: Row, line: ImportLine): Row {
	const { email, name, image, role, disabled } = line;
	// Nobody has verified a new email yet.
	const emailVerified = line.emailVerified ?? (email === user.email ? undefined : false);
	const own = { email, name, emailVerified, image, tenantRole: storedRole(role) };
	const { phoneNumber } = line;
	// The same for a phone number.
	const isNewNumber = phoneNumber !== undefined && phoneNumber !== user.phoneNumber;
	const wanted: Row = {
		...(isNewNumber && { phoneNumberVerified: false }),
		...line.fields,
		...own,
	};
	const changes = Object.entries(wanted).filter(
		([field, value]) => value !== undefined && !isSame(value, user[field] ?? null),
	);
	const isDisabled = user.disabledAt !== null && user.disabledAt !== undefined;
	const toggled = disabled !== undefined && disabled !== isDisabled;
	return {
		...Object.fromEntries(changes),
		...(toggled ? { disabledAt: disabled ? new Date() : null } : {}),
	};
}
