import { useState } from "react";
import { Link, Outlet } from "react-router";
import { type Operator, useSignOut } from "../session/operator";
import { Account } from "./Account";
import { CommandPalette } from "./CommandPalette";
import { Frame } from "./Frame";
import { Brand, Navigation } from "./Navigation";
import { ACCOUNT_PAGE } from "./pages";

/** The frame of the console, with the search for pages, tenants and users. */
export function Shell({ operator }: { operator: Operator }) {
	const signOut = useSignOut();
	const [isSearching, setSearching] = useState(false);
	const search = () => setSearching(true);
	return (
		<>
			<Frame
				brand={<Brand />}
				navigation={(onSearch) => <Navigation onSearch={onSearch} />}
				account={<Account name={<Name operator={operator} />} onSignOut={signOut} />}
				onSearch={search}
			>
				<Outlet />
			</Frame>
			<CommandPalette open={isSearching} onOpen={search} onClose={() => setSearching(false)} />
		</>
	);
}

function Name({ operator }: { operator: Operator }) {
	// A key has no account.
	if (operator.kind !== "admin") return operator.kind === "key" ? operator.name : null;
	return (
		<Link to={ACCOUNT_PAGE.to} title={ACCOUNT_PAGE.title}>
			{operator.email}
		</Link>
	);
}
