package io.holdfast.examples.orders;

import org.springframework.data.jpa.repository.JpaRepository;

interface Items extends JpaRepository<Item, String> {}
