"""The fault proxy is slow, hangs up or loses an answer."""

import errno
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ConnectionClosedError, ReadTimeoutError

from config.engines.dynoxide import Dynoxide
from core.dynamo.faults import FaultProxy, Faults
from tests.awaiting import eventually
from tests.core.dynamo.fault_clients import add_one, connect, everything, key, page, visits


class TestLatency:
    def test_every_request_takes_at_least_that_long(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(latency=150)
        before = time.monotonic()
        faulty_client.get_item(TableName=table, Key=key("a"))
        assert time.monotonic() - before >= 0.15


class TestHang:
    def test_the_client_waits_in_vain_and_nothing_is_applied(
        self, fault_proxy: FaultProxy, direct: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(hang=1)
        with pytest.raises(ReadTimeoutError):
            connect(fault_proxy.endpoint, read_timeout=0.2).put_item(TableName=table, Item=page("a"))
        assert fault_proxy.requests == ["PutItem"]
        assert everything(direct, table) == []

    def test_closing_the_proxy_ends_the_wait_and_every_thread(self, engine: Dynoxide, table: str) -> None:
        threads_before = threading.active_count()
        with ThreadPoolExecutor(1) as waiting:
            with FaultProxy(engine.endpoint, faults=Faults(hang=1)) as fault_proxy:
                answer = waiting.submit(connect(fault_proxy.endpoint).get_item, TableName=table, Key=key("a"))
                eventually(lambda: fault_proxy.requests, bool)
            assert isinstance(answer.exception(timeout=300), ConnectionClosedError)
        assert threading.active_count() == threads_before


class TestReset:
    def test_the_connection_breaks_and_nothing_is_applied(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(reset=1)
        with pytest.raises(ConnectionClosedError):
            faulty_client.put_item(TableName=table, Item=page("a"))
        assert everything(direct, table) == []

    def test_it_is_a_reset_not_an_end_of_file(self, fault_proxy: FaultProxy) -> None:
        fault_proxy.faults = Faults(reset=1)
        host, port = fault_proxy.endpoint.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
            with pytest.raises(ConnectionResetError) as caught:
                connection.recv(1)
        assert caught.value.errno == errno.ECONNRESET

    def test_the_next_request_works_again(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(reset=1)
        with pytest.raises(ConnectionClosedError):
            faulty_client.put_item(TableName=table, Item=page("a"))
        fault_proxy.faults = Faults()
        faulty_client.put_item(TableName=table, Item=page("a"))
        assert everything(faulty_client, table) == ["a"]


class TestLostAnswer:
    def test_the_request_is_applied_and_a_request_token_makes_resending_safe(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        transaction = {"TransactItems": [{"Update": add_one(table, "a")}], "ClientRequestToken": "visit"}
        fault_proxy.faults = Faults(lost_answer=1)
        with pytest.raises(ConnectionClosedError):
            faulty_client.transact_write_items(**transaction)
        fault_proxy.faults = Faults()
        assert visits(faulty_client, table, "a") == 1
        faulty_client.transact_write_items(**transaction)
        assert visits(faulty_client, table, "a") == 1
