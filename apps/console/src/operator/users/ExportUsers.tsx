import { useApi } from "../api/context";
import type { USER_SORTS, User, UserFilters } from "../api/users";
import { useTenant } from "../current-tenant/tenant-context";
import { ExportMenu } from "../lists/ExportMenu";
import type { Columns } from "../lists/export-list";
import type { OrderParams } from "../lists/list-state";
import { roleOf } from "./roles";

const COLUMNS: Columns<User> = {
	id: ({ id }) => id,
	email: ({ email }) => email,
	name: ({ name }) => name,
	emailVerified: ({ emailVerified }) => String(emailVerified),
	role: (user) => roleOf(user),
	disabledAt: ({ disabledAt }) => disabledAt,
	secondFactor: ({ twoFactorEnabled }) => String(twoFactorEnabled ?? false),
	createdAt: ({ createdAt }) => createdAt,
};

type ExportUsersProps = {
	search: string;
	filters: UserFilters;
	order: OrderParams<(typeof USER_SORTS)[number]>;
};

/** Exports all users of the tenant that match the search and the filters. */
export function ExportUsers({ search, filters, order }: ExportUsersProps) {
	const { listUsers } = useApi();
	const { id, slug } = useTenant();
	return (
		<ExportMenu
			name={`users-${slug}`}
			columns={COLUMNS}
			readPage={(part) =>
				listUsers(id, { ...(search ? { search } : {}), ...filters, ...order, ...part })
			}
		/>
	);
}
