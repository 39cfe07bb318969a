package io.holdfast.examples.orders;

import org.springframework.data.jpa.repository.JpaRepository;

interface PlacedOrders extends JpaRepository<PlacedOrder, Long> {}
