import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { CloseIcon, MenuIcon, SearchIcon, SignOutIcon } from "../../ui/icons";
import { ThemeToggle } from "../../ui/theme";
import { type Operator, signOut } from "../session/operator";
import { CommandPalette } from "./CommandPalette";
import { Brand, Navigation } from "./Navigation";
import { UnsavedChangesProvider } from "./unsaved-changes";

/** The frame of all pages: a column on the left, or a bar with a menu on a phone. */
export function Shell({ operator }: { operator: Operator }) {
	const main = useFocusAfterNavigation();
	const [isSearching, setSearching] = useState(false);
	const [isMenuOpen, setMenuOpen] = useState(false);
	const { pathname } = useLocation();
	// biome-ignore lint/correctness/useExhaustiveDependencies: A new page closes the menu.
	useEffect(() => setMenuOpen(false), [pathname]);
	const search = () => {
		setMenuOpen(false);
		setSearching(true);
	};
	return (
		<UnsavedChangesProvider>
			<div className="shell">
				<a className="skip-link" href="#main">
					Skip to content
				</a>
				<header className="shell-side">
					<Brand />
					<Navigation onSearch={search} />
					<Account operator={operator} />
				</header>
				<header className="shell-bar">
					<Brand />
					<button type="button" className="icon-button" aria-label="Search" onClick={search}>
						<SearchIcon />
					</button>
					<button
						type="button"
						className="icon-button"
						aria-label="Menu"
						aria-expanded={isMenuOpen}
						onClick={() => setMenuOpen(true)}
					>
						<MenuIcon />
					</button>
				</header>
				<Drawer isOpen={isMenuOpen} onClose={() => setMenuOpen(false)}>
					<Navigation onSearch={search} />
					<Account operator={operator} />
				</Drawer>
				<main id="main" ref={main} tabIndex={-1} className="shell-main">
					<Outlet />
				</main>
			</div>
			<CommandPalette open={isSearching} onOpen={search} onClose={() => setSearching(false)} />
		</UnsavedChangesProvider>
	);
}

function Account({ operator }: { operator: Operator }) {
	const queryClient = useQueryClient();
	return (
		<div className="shell-account">
			<span className="muted small shell-name">
				{"name" in operator && (operator.kind === "admin" ? operator.email : operator.name)}
			</span>
			<ThemeToggle />
			<button
				type="button"
				className="icon-button"
				aria-label="Sign out"
				title="Sign out"
				onClick={() => void signOut(queryClient)}
			>
				<SignOutIcon />
			</button>
		</div>
	);
}

type DrawerProps = { isOpen: boolean; onClose: () => void; children: ReactNode };

function Drawer({ isOpen, onClose, children }: DrawerProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		if (isOpen) dialog.current?.showModal();
		else dialog.current?.close();
	}, [isOpen]);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well.
		<dialog
			ref={dialog}
			className="drawer"
			aria-label="Menu"
			onClose={onClose}
			onClick={(event) => event.target === dialog.current && onClose()}
		>
			{isOpen && (
				<div className="drawer-content">
					<div className="drawer-head">
						<Brand />
						<button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
							<CloseIcon />
						</button>
					</div>
					{children}
				</div>
			)}
		</dialog>
	);
}

/** Screen readers announce a new page. A search on the same page keeps the focus where it is. */
function useFocusAfterNavigation() {
	const main = useRef<HTMLElement>(null);
	const { pathname } = useLocation();
	const lastPathname = useRef(pathname);
	useEffect(() => {
		if (lastPathname.current === pathname) return;
		lastPathname.current = pathname;
		window.scrollTo(0, 0);
		main.current?.focus({ preventScroll: true });
	}, [pathname]);
	return main;
}
