import { createContext, useContext } from "react";
import type { ApiClient } from "../api/client";
import type { LoginOptions } from "../api/login-options";
import type { Permissions } from "./permissions";

export type AdminPlace = {
	/** For example `/t/acme`. Empty on the tenant's own host. */
	base: string;
	options: LoginOptions;
	client: ApiClient;
	permissions: Permissions;
};

export const AdminContext = createContext<AdminPlace | null>(null);

export function useAdminPlace(): AdminPlace {
	const place = useContext(AdminContext);
	if (!place) throw new Error("useAdminPlace works only inside AdminGate");
	return place;
}
