import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { PlusIcon, UsersIcon } from "../../ui/icons";
import { type Option, OptionList } from "../../ui/OptionList";
import { useSettledValue } from "../../ui/settled-value";
import { useApi } from "../api/context";
import { useTenantOptions } from "../current-tenant/tenant-options";
import { useConsoleOperator, useMay } from "../session/operator";
import { useOpenTenantId } from "./Navigation";
import { ACCOUNT_PAGE, type NavPage, servicePages } from "./pages";
import { tenantLinks } from "./tenant-pages";

type CommandPaletteProps = { open: boolean; onOpen: () => void; onClose: () => void };

/** Leads to any page, tenant or user. Ctrl+K or Cmd+K opens it everywhere. */
export function CommandPalette({ open, onOpen, onClose }: CommandPaletteProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	useShortcut(onOpen);
	useEffect(() => {
		if (open) dialog.current?.showModal();
		else dialog.current?.close();
	}, [open]);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well.
		<dialog
			ref={dialog}
			className="dialog palette"
			aria-label="Search"
			onClose={onClose}
			onClick={(event) => event.target === dialog.current && onClose()}
		>
			{open && <Commands onChoose={onClose} />}
		</dialog>
	);
}

function useShortcut(onOpen: () => void): void {
	const open = useRef(onOpen);
	open.current = onOpen;
	useEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			const isShortcut = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
			if (!isShortcut || event.key.toLowerCase() !== "k") return;
			event.preventDefault();
			// A form in a dialog would be lost.
			if (!document.querySelector("dialog[open]")) open.current();
		};
		document.addEventListener("keydown", onKeyDown);
		return () => document.removeEventListener("keydown", onKeyDown);
	}, []);
}

const NEW_TENANT: Option = { id: "/tenants/new", text: "New tenant", icon: <PlusIcon /> };

function Commands({ onChoose }: { onChoose: () => void }) {
	const { serviceInfoQuery, tenantQuery, userSearchQuery } = useApi();
	const may = useMay();
	const operator = useConsoleOperator();
	const [search, setSearch] = useState("");
	const navigate = useNavigate();
	const tenantId = useOpenTenantId();
	const { data: info } = useQuery(serviceInfoQuery);
	const { data: tenant } = useQuery({ ...tenantQuery(tenantId ?? ""), enabled: tenantId !== null });
	const tenants = useTenantOptions(search, search.trim() ? 6 : 4);
	const wanted = search.trim().toLowerCase();
	const settled = useSettledValue(wanted, 200);
	const users = useQuery(userSearchQuery(may("user:list") ? settled : ""));
	const error = tenants.error ?? users.error;

	const toOption = ({ to, title, icon }: NavPage): Option => ({ id: to, text: title, icon });
	const matching = (options: Option[]) =>
		options.filter(({ text }) => text.toLowerCase().includes(wanted));
	const pages = servicePages({ outbox: info?.outbox ?? false }, may).map(toOption);
	return (
		<OptionList
			label="Search pages, tenants and users"
			search={search}
			onSearch={setSearch}
			groups={[
				{
					title: tenant?.name ?? "",
					options: tenant ? matching(tenantLinks(`/tenants/${tenant.id}`, may).map(toOption)) : [],
				},
				{
					title: "Pages",
					options: matching([
						...pages,
						...(operator?.kind === "admin" ? [toOption(ACCOUNT_PAGE)] : []),
						...(may("tenant:create") ? [NEW_TENANT] : []),
					]),
				},
				{
					title: "Tenants",
					options: tenants.options.map((option) => ({ ...option, id: `/tenants/${option.id}` })),
				},
				{
					title: "Users",
					options:
						(wanted ? users.data?.items : undefined)?.flatMap(({ id, name, email, tenant: of }) =>
							of
								? {
										id: `/tenants/${of.id}/users/${id}`,
										text: name || email,
										hint: `${email} · ${of.name}`,
										icon: <UsersIcon />,
									}
								: [],
						) ?? [],
				},
			]}
			isLoading={tenants.isLoading || users.isFetching}
			empty={error ? error.message : "Nothing found"}
			onChoose={({ id }) => {
				onChoose();
				void navigate(id);
			}}
		/>
	);
}
