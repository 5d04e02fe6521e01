import { useOutletContext } from "react-router";
import type { Tenant } from "../api/tenants";

export const tenantKey = (tenantId: string) => ["tenant", tenantId];

/** The tenant that the page is about. */
export const useTenant = () => useOutletContext<Tenant>();
