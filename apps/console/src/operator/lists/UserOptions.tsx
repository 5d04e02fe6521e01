import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Option, OptionList } from "../../ui/OptionList";
import { useSettledValue } from "../../ui/settled-value";
import { useApi } from "../api/context";

type UserOptionsProps = {
	/** Empty for all tenants. */
	tenantId: string;
	onChoose: (option: Option) => void;
};

/** Finds a user of one tenant or of all tenants. For one tenant, it starts with the newest users. */
export function UserOptions({ tenantId, onChoose }: UserOptionsProps) {
	const { usersQuery, userSearchQuery } = useApi();
	const [typed, setTyped] = useState("");
	const search = useSettledValue(typed.trim(), 200);
	const ofAll = useQuery(userSearchQuery(tenantId ? "" : search));
	const ofTenant = useQuery({
		...usersQuery(tenantId, { limit: 8, offset: 0, total: "none", ...(search ? { search } : {}) }),
		enabled: tenantId !== "",
	});
	const options: Option[] = tenantId
		? (ofTenant.data?.items ?? []).map(({ id, email, name }) => ({ id, text: email, hint: name }))
		: (ofAll.data?.items ?? []).map(({ id, email, tenant }) => ({
				id,
				text: email,
				hint: tenant?.name ?? "Platform",
			}));
	return (
		<OptionList
			label="Search by name or email"
			search={typed}
			onSearch={setTyped}
			groups={[{ title: "", options }]}
			isLoading={ofAll.isFetching || ofTenant.isFetching}
			empty={search || tenantId ? "No users found" : "Enter a part of the name or email"}
			onChoose={onChoose}
		/>
	);
}
