import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { CloseIcon, MenuIcon, SearchIcon } from "../../ui/icons";
import { UnsavedChangesProvider } from "../unsaved-changes";

type FrameProps = {
	brand: ReactNode;
	/** @param search opens the search */
	navigation: (search: () => void) => ReactNode;
	/** Who is signed in, at the end of the navigation. */
	account: ReactNode;
	/** Opens the search. Without it, there is no button for it. */
	onSearch?: () => void;
	children: ReactNode;
};

/** The frame of all pages: a column on the left, or a bar with a menu on a phone. */
export function Frame({ brand, navigation, account, onSearch, children }: FrameProps) {
	const main = useFocusAfterNavigation();
	const [isMenuOpen, setMenuOpen] = useState(false);
	const { pathname } = useLocation();
	// biome-ignore lint/correctness/useExhaustiveDependencies: A new page closes the menu.
	useEffect(() => setMenuOpen(false), [pathname]);
	const search = () => {
		setMenuOpen(false);
		onSearch?.();
	};
	return (
		<UnsavedChangesProvider>
			<div className="shell">
				<a className="skip-link" href="#main">
					Skip to content
				</a>
				<header className="shell-side">
					{brand}
					{navigation(search)}
					{account}
				</header>
				<header className="shell-bar">
					{brand}
					{onSearch && (
						<button type="button" className="icon-button" aria-label="Search" onClick={search}>
							<SearchIcon />
						</button>
					)}
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
				<Drawer brand={brand} isOpen={isMenuOpen} onClose={() => setMenuOpen(false)}>
					{navigation(search)}
					{account}
				</Drawer>
				<main id="main" ref={main} tabIndex={-1} className="shell-main">
					{children}
				</main>
			</div>
		</UnsavedChangesProvider>
	);
}

type DrawerProps = {
	brand: ReactNode;
	isOpen: boolean;
	onClose: () => void;
	children: ReactNode;
};

function Drawer({ brand, isOpen, onClose, children }: DrawerProps) {
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
						{brand}
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
