import type { AuthContext } from "better-auth";

export interface Organization {
	id: string;
	name: string;
	slug: string;
}

/** Somebody who is in several organizations. */
export interface Person {
	userId: string;
	name: string;
	email: string;
	/** The slugs of the organizations. */
	organizations: string[];
}

const PART = 1000;

/** All rows of a model that the current scope has. */
async function* readAll<Row>({ adapter }: AuthContext, model: string): AsyncGenerator<Row> {
	const sortBy = { field: "id", direction: "asc" } as const;
	for (let offset = 0; ; offset += PART) {
		const rows = await adapter.findMany<Row>({ model, sortBy, limit: PART, offset });
		yield* rows;
		if (rows.length < PART) return;
	}
}

/** @throws Error if the app has no organizations */
export async function listOrganizations(context: AuthContext): Promise<Organization[]> {
	if (!context.tables.organization) throw new Error("The app does not use the organization plugin");
	const found: Organization[] = [];
	for await (const { id, name, slug } of readAll<Organization>(context, "organization")) {
		found.push({ id: String(id), name, slug });
	}
	return found;
}

/** People in several organizations, of which at least one is chosen. */
export async function findPeopleInSeveral(
	context: AuthContext,
	all: readonly Organization[],
	chosen: readonly Organization[],
): Promise<Person[]> {
	const slugs = new Map(all.map(({ id, slug }) => [id, slug]));
	const isChosen = new Set(chosen.map(({ id }) => id));
	const memberships = new Map<string, string[]>();
	const members = readAll<{ userId: string; organizationId: string }>(context, "member");
	for await (const { userId, organizationId } of members) {
		const known = memberships.get(String(userId)) ?? [];
		memberships.set(String(userId), [...known, String(organizationId)]);
	}
	const people: Person[] = [];
	for (const [userId, organizations] of memberships) {
		if (organizations.length < 2 || !organizations.some((id) => isChosen.has(id))) continue;
		const where = [{ field: "id", value: userId }];
		const user = await context.adapter.findOne<{ name: string; email: string }>({
			model: "user",
			where,
		});
		people.push({
			userId,
			name: user?.name ?? "",
			email: user?.email ?? "",
			organizations: organizations.map((id) => slugs.get(id) ?? id),
		});
	}
	return people;
}
