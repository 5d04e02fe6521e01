import type { ListOrder } from "../../api/client";
import { useApi } from "../api/context";
import type { SignIn, SignInFilters } from "../api/sign-ins";
import { useTenant } from "../current-tenant/tenant-context";
import { ExportMenu } from "../lists/ExportMenu";
import type { Columns } from "../lists/export-list";

const COLUMNS: Columns<SignIn> = {
	time: ({ createdAt }) => createdAt,
	result: ({ result }) => result,
	reason: ({ reason }) => reason,
	email: ({ user }) => user?.email,
	name: ({ user }) => user?.name,
	userId: ({ user }) => user?.id,
	method: ({ method }) => method,
	provider: ({ providerId }) => providerId,
	ipAddress: ({ ipAddress }) => ipAddress,
	userAgent: ({ userAgent }) => userAgent,
	attempts: ({ attempts }) => attempts,
};

type ExportSignInsProps = { filters: SignInFilters; order: ListOrder };

/** Exports all sign-ins of the tenant that match the filters. */
export function ExportSignIns({ filters, order }: ExportSignInsProps) {
	const { listSignIns } = useApi();
	const { id, slug } = useTenant();
	return (
		<ExportMenu
			name={`sign-ins-${slug}`}
			columns={COLUMNS}
			readPage={(part) => listSignIns(id, { ...filters, order, ...part })}
		/>
	);
}
